<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>FileText</name>
    <message>
        <source>%1 is a picture (%2).</source>
        <translation>%1 是图片（%2）。</translation>
    </message>
    <message>
        <source>The models that Vitrine runs read text only; a vision model would be needed.</source>
        <translation>Vitrine 运行的模型只读文本；这需要视觉模型。</translation>
    </message>
    <message>
        <source>%1 is larger than %2, the most that goes with a message.</source>
        <translation>%1 大于 %2，超过一条消息所能附带的上限。</translation>
    </message>
    <message>
        <source>Put the part that you ask about into a file of its own.</source>
        <translation>把要提问的部分单独存成一个文件。</translation>
    </message>
    <message>
        <source>%1 is not a text file.</source>
        <translation>%1 不是文本文件。</translation>
    </message>
    <message>
        <source>Texts in UTF-8, UTF-16, Latin-1 and Windows-1252 can go with a message.</source>
        <translation>UTF-8、UTF-16、Latin-1 和 Windows-1252 编码的文本可以随消息发送。</translation>
    </message>
    <message>
        <source>%1 is a PDF, and this build of Vitrine reads none: it was made without poppler.</source>
        <translation>%1 是 PDF，而这个版本的 Vitrine 不读 PDF：构建时没有 poppler。</translation>
    </message>
    <message>
        <source>Save the text of the PDF as a text file, and attach that.</source>
        <translation>把 PDF 的文本存成文本文件，再附上它。</translation>
    </message>
    <message>
        <source>%1 is encrypted: it opens with a password only.</source>
        <translation>%1 已加密：只有输入密码才能打开。</translation>
    </message>
    <message>
        <source>Save a copy without the password, and attach that.</source>
        <translation>另存一份不带密码的副本，再附上它。</translation>
    </message>
    <message>
        <source>%1 has %2 pages, more than the %3 that are read.</source>
        <translation>%1 有 %2 页，超过可读取的 %3 页。</translation>
    </message>
    <message>
        <source>Save the pages that you ask about as a file of their own.</source>
        <translation>把要提问的页单独存成一个文件。</translation>
    </message>
    <message>
        <source>%1 has more text than %2, the most that goes with a message.</source>
        <translation>%1 的文本超过 %2，即一条消息所能附带的上限。</translation>
    </message>
    <message>
        <source>%1 has no text: its pages are pictures, as those of a scan are.</source>
        <translation>%1 没有文本：它的页面都是图片，扫描件就是这样。</translation>
    </message>
    <message>
        <source>A program that recognises text (OCR) can add it.</source>
        <translation>文字识别（OCR）程序可以为它加上文本。</translation>
    </message>
    <message>
        <source>%1 is damaged: it begins as a PDF, but its pages cannot be read.</source>
        <translation>%1 已损坏：开头是 PDF，但页面无法读取。</translation>
    </message>
    <message>
        <source>Download or save it once more.</source>
        <translation>重新下载或保存一次。</translation>
    </message>
    <message>
        <source>Read as %1</source>
        <translation>读作 %1</translation>
    </message>
    <message numerus="yes">
        <source>The text of a PDF of %Ln page(s)</source>
        <translation><numerusform>一份 %Ln 页 PDF 的文本</numerusform></translation>
    </message>
</context>
<context>
    <name>Options</name>
    <message>
        <source>&amp;Answers</source>
        <translation>回答(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Attention</source>
        <translation>注意力(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Batch invariance</source>
        <translation>批次不变性(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Best of</source>
        <translation>Best-of(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Cache salt</source>
        <translation>缓存盐值(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Chunked prefill</source>
        <translation>分块预填充(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Computing</source>
        <translation>计算(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Deadline</source>
        <translation>截止时间(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Device</source>
        <translation>设备(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Drafter</source>
        <translation>草稿器(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Frequency penalty</source>
        <translation>频率惩罚(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Grammar</source>
        <translation>语法(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Ignore the end token</source>
        <translation>忽略结束 token(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;JSON schema</source>
        <translation>JSON schema(&amp;J)</translation>
    </message>
    <message>
        <source>&amp;KV cache</source>
        <translation>KV 缓存(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Kernels</source>
        <translation>内核(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Long contexts</source>
        <translation>长上下文(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Longest answer</source>
        <translation>最长回答(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Memory</source>
        <translation>内存(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;N-gram</source>
        <translation>N-gram(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Prefix cache</source>
        <translation>前缀缓存(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Products</source>
        <translation>乘积(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Quantized to</source>
        <translation>量化为(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Repetition penalty</source>
        <translation>重复惩罚(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Scheduling</source>
        <translation>调度(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Weights in</source>
        <translation>权重类型(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>批处理窗口(&amp;W)</translation>
    </message>
    <message>
        <source>A graph</source>
        <translation>一个图</translation>
    </message>
    <message>
        <source>A second, smaller model</source>
        <translation>另一个更小的模型</translation>
    </message>
    <message>
        <source>A&amp;ges after</source>
        <translation>老化上限(&amp;G)</translation>
    </message>
    <message>
        <source>A&amp;nswers</source>
        <translation>回答(&amp;N)</translation>
    </message>
    <message>
        <source>Accepted by rejection sampling</source>
        <translation>用拒绝采样决定是否接受</translation>
    </message>
    <message>
        <source>Accepted if the model draws the same</source>
        <translation>模型抽到相同的 token 才接受</translation>
    </message>
    <message>
        <source>All but first and last tokens (StreamingLLM)</source>
        <translation>除开头和末尾外的所有 token（StreamingLLM）</translation>
    </message>
    <message>
        <source>An earlier position in the text (n-gram)</source>
        <translation>文本中较早的位置（n-gram）</translation>
    </message>
    <message>
        <source>Are computed again</source>
        <translation>重算</translation>
    </message>
    <message>
        <source>Are kept for the next start</source>
        <translation>为下次启动保存</translation>
    </message>
    <message>
        <source>Are packed in every start</source>
        <translation>每次启动时打包</translation>
    </message>
    <message>
        <source>Are swapped out and in again</source>
        <translation>换出，之后再换入</translation>
    </message>
    <message>
        <source>B&amp;atching</source>
        <translation>批处理(&amp;A)</translation>
    </message>
    <message>
        <source>Beam &amp;width</source>
        <translation>束宽(&amp;W)</translation>
    </message>
    <message>
        <source>Block s&amp;ize</source>
        <translation>块大小(&amp;I)</translation>
    </message>
    <message>
        <source>By deadline</source>
        <translation>按截止时间</translation>
    </message>
    <message>
        <source>By priority</source>
        <translation>按优先级</translation>
    </message>
    <message>
        <source>C&amp;hoice</source>
        <translation>限定回答(&amp;H)</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Ch&amp;oose the length</source>
        <translation>自动选择长度(&amp;O)</translation>
    </message>
    <message>
        <source>Continuous: join and leave at every step</source>
        <translation>连续: 每一步都可加入和离开</translation>
    </message>
    <message>
        <source>Decodin&amp;g steps as</source>
        <translation>解码步采用(&amp;G)</translation>
    </message>
    <message>
        <source>Dra&amp;wn tokens</source>
        <translation>抽取的 token(&amp;W)</translation>
    </message>
    <message>
        <source>Draft model's &amp;folder</source>
        <translation>草稿模型的文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>Earl&amp;y stopping</source>
        <translation>提前停止(&amp;Y)</translation>
    </message>
    <message>
        <source>First &amp;layers</source>
        <translation>起草的层数(&amp;L)</translation>
    </message>
    <message>
        <source>First come, first served</source>
        <translation>先到先服务</translation>
    </message>
    <message>
        <source>First tokens kept</source>
        <translation>保留的开头 token</translation>
    </message>
    <message>
        <source>Floats, as they are computed</source>
        <translation>浮点数，与计算时相同</translation>
    </message>
    <message>
        <source>Fol&amp;der of the file</source>
        <translation>文件所在的文件夹(&amp;D)</translation>
    </message>
    <message>
        <source>GPU (CUDA)</source>
        <translation>GPU (CUDA)</translation>
    </message>
    <message>
        <source>Heavy hitters kept</source>
        <translation>保留的重击 token</translation>
    </message>
    <message>
        <source>In bf16, where the weights are bf16</source>
        <translation>bf16，用于 bf16 权重</translation>
    </message>
    <message>
        <source>In float32</source>
        <translation>float32</translation>
    </message>
    <message>
        <source>In int8, where the weights are quantized</source>
        <translation>int8，用于已量化的权重</translation>
    </message>
    <message>
        <source>KV &amp;blocks</source>
        <translation>KV 块(&amp;B)</translation>
    </message>
    <message>
        <source>KV m&amp;emory</source>
        <translation>KV 内存(&amp;E)</translation>
    </message>
    <message>
        <source>Kernels, one by one</source>
        <translation>逐个内核</translation>
    </message>
    <message>
        <source>Keys and &amp;values as</source>
        <translation>键和值存为(&amp;V)</translation>
    </message>
    <message>
        <source>L&amp;ength penalty</source>
        <translation>长度惩罚(&amp;E)</translation>
    </message>
    <message>
        <source>L&amp;ogprobs</source>
        <translation>对数概率(&amp;O)</translation>
    </message>
    <message>
        <source>Last tokens kept</source>
        <translation>保留的末尾 token</translation>
    </message>
    <message>
        <source>M&amp;in-p</source>
        <translation>Min-p(&amp;I)</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Not at all</source>
        <translation>不量化</translation>
    </message>
    <message>
        <source>Nothing: the sequence ends</source>
        <translation>不驱逐: 序列结束</translation>
    </message>
    <message>
        <source>O&amp;verlap of steps</source>
        <translation>步的重叠(&amp;V)</translation>
    </message>
    <message>
        <source>Off: cuBLASLt's products</source>
        <translation>关: cuBLASLt 的乘积</translation>
    </message>
    <message>
        <source>Off: one step after the other</source>
        <translation>关: 一步接一步</translation>
    </message>
    <message>
        <source>On: a row's own order</source>
        <translation>开: 每行按自己的顺序</translation>
    </message>
    <message>
        <source>On: the next forward begins early</source>
        <translation>开: 下一次前向提前开始</translation>
    </message>
    <message>
        <source>One persistent kernel</source>
        <translation>一个常驻内核</translation>
    </message>
    <message>
        <source>Order of &amp;requests</source>
        <translation>请求的顺序(&amp;R)</translation>
    </message>
    <message>
        <source>P&amp;riority</source>
        <translation>优先级(&amp;R)</translation>
    </message>
    <message>
        <source>Packed weigh&amp;ts</source>
        <translation>打包的权重(&amp;T)</translation>
    </message>
    <message>
        <source>Pre&amp;sence penalty</source>
        <translation>存在惩罚(&amp;S)</translation>
    </message>
    <message>
        <source>Preempted se&amp;quences</source>
        <translation>被抢占的序列(&amp;Q)</translation>
    </message>
    <message>
        <source>Regular e&amp;xpression</source>
        <translation>正则表达式(&amp;X)</translation>
    </message>
    <message>
        <source>S&amp;eed</source>
        <translation>种子(&amp;E)</translation>
    </message>
    <message>
        <source>S&amp;peculation</source>
        <translation>推测解码(&amp;P)</translation>
    </message>
    <message>
        <source>S&amp;top at</source>
        <translation>停止字符串(&amp;T)</translation>
    </message>
    <message>
        <source>S&amp;wap to memory</source>
        <translation>换出到内存(&amp;W)</translation>
    </message>
    <message>
        <source>Sa&amp;mpling</source>
        <translation>采样(&amp;M)</translation>
    </message>
    <message>
        <source>Sequences at &amp;once</source>
        <translation>并发序列数(&amp;O)</translation>
    </message>
    <message>
        <source>Sequential: one request after another</source>
        <translation>顺序: 一个请求接一个请求</translation>
    </message>
    <message>
        <source>Shortest first</source>
        <translation>最短者优先</translation>
    </message>
    <message>
        <source>Static: a batch runs until all of it is done</source>
        <translation>静态: 一个批次运行到全部完成</translation>
    </message>
    <message>
        <source>Swap to a &amp;file</source>
        <translation>换出到文件(&amp;F)</translation>
    </message>
    <message>
        <source>T&amp;hreads</source>
        <translation>线程(&amp;H)</translation>
    </message>
    <message>
        <source>T&amp;ypical-p</source>
        <translation>Typical-p(&amp;Y)</translation>
    </message>
    <message>
        <source>Te&amp;mperature</source>
        <translation>温度(&amp;M)</translation>
    </message>
    <message>
        <source>The fastest</source>
        <translation>最快的方式</translation>
    </message>
    <message>
        <source>The fastest of equal quality</source>
        <translation>质量相同者中最快的</translation>
    </message>
    <message>
        <source>The least attended tokens between them (H2O)</source>
        <translation>首尾之间注意力最少的 token（H2O）</translation>
    </message>
    <message>
        <source>The model's own first layers</source>
        <translation>模型自己的前几层</translation>
    </message>
    <message>
        <source>The type in their file</source>
        <translation>文件中的类型</translation>
    </message>
    <message>
        <source>Token b&amp;udget of a step</source>
        <translation>每步的 token 预算(&amp;U)</translation>
    </message>
    <message>
        <source>Tokens in a d&amp;raft</source>
        <translation>草稿的 token 数(&amp;R)</translation>
    </message>
    <message>
        <source>Top-&amp;k</source>
        <translation>Top-k(&amp;K)</translation>
    </message>
    <message>
        <source>Top-&amp;p</source>
        <translation>Top-p(&amp;P)</translation>
    </message>
    <message>
        <source>Vitrine's own</source>
        <translation>Vitrine 自己的</translation>
    </message>
    <message>
        <source>Vitrine's own kernels, or those of libtorch</source>
        <translation>Vitrine 自己的内核，或 libtorch 的内核</translation>
    </message>
    <message>
        <source>When no beam beats them now</source>
        <translation>当前没有束优于它们时</translation>
    </message>
    <message>
        <source>When no beam can beat them at any length</source>
        <translation>任何长度下都没有束能优于它们时</translation>
    </message>
    <message>
        <source>When there are enough answers</source>
        <translation>回答足够多时</translation>
    </message>
    <message>
        <source>Window: like static, but a batch waits for more requests</source>
        <translation>窗口: 与静态相同，但批次会等待更多请求</translation>
    </message>
    <message>
        <source>a Hugging Face folder of a smaller model with the same vocabulary</source>
        <translation>词表相同的较小模型的 Hugging Face 文件夹</translation>
    </message>
    <message>
        <source>a request rises by one point of priority, or counts as due, after so many steps</source>
        <translation>请求经过这么多步后，优先级提高一点，或视为到期</translation>
    </message>
    <message>
        <source>a string that ends the text (may be given several times)</source>
        <translation>使文本结束的字符串（可给出多次）</translation>
    </message>
    <message>
        <source>a text that the answer may be (may be given several times)</source>
        <translation>回答可以采用的一种文本（可给出多次）</translation>
    </message>
    <message>
        <source>above 1, beam search with so many beams instead of sampling</source>
        <translation>大于 1 时，以这么多束进行束搜索，而不采样</translation>
    </message>
    <message>
        <source>above 1, tokens of prompt and answer become less likely</source>
        <translation>大于 1 时，提示词和回答中的 token 变得更不可能</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>alternatives to report for each token</source>
        <translation>为每个 token 报告的其他候选数</translation>
    </message>
    <message>
        <source>answers</source>
        <translation>已应答</translation>
    </message>
    <message>
        <source>answers to one prompt</source>
        <translation>对一个提示词的回答数</translation>
    </message>
    <message>
        <source>arithmetic of products: float32; bf16, for bf16 weights, with activations rounded to it; int8, for int8 and int4 weights and a GGUF file's blocks, with activations quantized for each row and group; auto: int8 where it is offered, else float32</source>
        <translation>乘积的运算: float32；bf16，用于 bf16 权重，激活舍入到 bf16；int8，用于 int8 和 int4 权重以及 GGUF 文件的块，激活按每行和每个分组量化；auto: 可用 int8 时为 int8，否则为 float32</translation>
    </message>
    <message>
        <source>as many as -n</source>
        <translation>与 -n 相同</translation>
    </message>
    <message>
        <source>as many as the KV memory holds</source>
        <translation>KV 内存能容纳的块数</translation>
    </message>
    <message>
        <source>as many whole contexts as the pool holds</source>
        <translation>池能容纳的完整上下文数</translation>
    </message>
    <message>
        <source>as the model recommends</source>
        <translation>按模型的推荐</translation>
    </message>
    <message>
        <source>beams</source>
        <translation>束</translation>
    </message>
    <message>
        <source>begins the forward of the next step before tokens are drawn, where every sequence of a step is greedy and goes on by one token</source>
        <translation>在抽取 token 之前开始下一步的前向，前提是该步的每个序列都是贪心的，且只前进一个 token</translation>
    </message>
    <message>
        <source>bfloat16</source>
        <translation>bfloat16</translation>
    </message>
    <message>
        <source>blocks in the KV pool; with few of them requests wait and are preempted</source>
        <translation>KV 池中的块数；块少时，请求要等待，并会被抢占</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>choose shorter drafts when measured costs and acceptance say so</source>
        <translation>测得的代价和接受率表明有利时，选择更短的草稿</translation>
    </message>
    <message>
        <source>cut long prompts into chunks, so that sequences that decode need not wait</source>
        <translation>把长提示词切成分块，使正在解码的序列不必等待</translation>
    </message>
    <message>
        <source>divides the logits; above 1, less likely tokens are drawn more often</source>
        <translation>用它除 logit；大于 1 时，较不可能的 token 更常被抽到</translation>
    </message>
    <message>
        <source>draw only tokens of JSON that is valid by this schema</source>
        <translation>只抽取使 JSON 符合此 schema 的 token</translation>
    </message>
    <message>
        <source>draw only tokens of answers that match this pattern as a whole</source>
        <translation>只抽取使整个回答匹配此模式的 token</translation>
    </message>
    <message>
        <source>draw only tokens of answers that this grammar, in GBNF, has</source>
        <translation>只抽取使回答符合此语法（GBNF）的 token</translation>
    </message>
    <message>
        <source>draw so many answers and give the best -n of them</source>
        <translation>抽取这么多个回答，给出其中最好的 -n 个</translation>
    </message>
    <message>
        <source>drop tokens that are less likely than p times the most likely one</source>
        <translation>丢弃概率低于最可能 token 的 p 倍的 token</translation>
    </message>
    <message>
        <source>first tokens that stay, the attention sinks</source>
        <translation>留下的开头 token，即注意力汇</translation>
    </message>
    <message>
        <source>float16</source>
        <translation>float16</translation>
    </message>
    <message>
        <source>float32</source>
        <translation>float32</translation>
    </message>
    <message>
        <source>folder of the swap file; empty: the system's folder for temporary files</source>
        <translation>交换文件的文件夹；空: 系统的临时文件夹</translation>
    </message>
    <message>
        <source>go on after the end token</source>
        <translation>在结束 token 之后继续</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>how keys and values are stored; bf16 holds twice the tokens of float32 in the same memory; int8 3.8 times, 1.9 times those of 16 bits</source>
        <translation>键和值的存储方式；相同内存中，bf16 容纳的 token 数是 float32 的两倍；int8 是 float32 的 3.8 倍，是 16 位的 1.9 倍</translation>
    </message>
    <message>
        <source>int4</source>
        <translation>int4</translation>
    </message>
    <message>
        <source>int8</source>
        <translation>int8</translation>
    </message>
    <message>
        <source>keep keys and values, so that each token is computed once</source>
        <translation>保留键和值，使每个 token 只计算一次</translation>
    </message>
    <message>
        <source>keep packed weights of more than 128 MiB in the folder for cached files, so that the next start is faster; no answer depends on it</source>
        <translation>把超过 128 MiB 的打包权重保存在缓存文件夹中，使下次启动更快；不影响任何回答</translation>
    </message>
    <message>
        <source>keep the KV of finished requests and share it with later ones that begin the same</source>
        <translation>保留已完成请求的 KV，与之后开头相同的请求共享</translation>
    </message>
    <message>
        <source>keep the fewest tokens whose probabilities add up to p</source>
        <translation>保留最少的 token，使概率之和达到 p</translation>
    </message>
    <message>
        <source>keep the k most likely tokens</source>
        <translation>保留最可能的 k 个 token</translation>
    </message>
    <message>
        <source>keep the tokens nearest to the expected surprisal whose probabilities add up to p</source>
        <translation>保留意外度最接近期望值、概率之和达到 p 的 token</translation>
    </message>
    <message>
        <source>kernels one by one, one graph of them, or one persistent kernel where a step fits into it</source>
        <translation>逐个内核、由它们组成的一个图，或一个常驻内核（如果这一步放得进去）</translation>
    </message>
    <message>
        <source>last tokens that stay, the window</source>
        <translation>留下的末尾 token，即窗口</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>libtorch, the reference</source>
        <translation>libtorch，参考</translation>
    </message>
    <message>
        <source>memory beside the pool for blocks that are swapped out</source>
        <translation>块池之外用于存放换出块的内存</translation>
    </message>
    <message>
        <source>memory for the KV pool</source>
        <translation>用于 KV 池的内存</translation>
    </message>
    <message>
        <source>mixed into the seed of every request</source>
        <translation>混入每个请求的种子</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>no file</source>
        <translation>无文件</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无上限</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>number of first layers that draft</source>
        <translation>用于起草的前几层的层数</translation>
    </message>
    <message>
        <source>off lets NVIDIA's cuBLASLt multiply more than 16 rows, and tokens depend on the batch; weights of 16 bits take twice the memory</source>
        <translation>关闭后，超过 16 行的乘法由 NVIDIA 的 cuBLASLt 计算，token 会随批次而变；16 位权重占用两倍内存</translation>
    </message>
    <message>
        <source>one for each core</source>
        <translation>每个核心一个</translation>
    </message>
    <message>
        <source>order in which requests are admitted</source>
        <translation>准入请求的顺序</translation>
    </message>
    <message>
        <source>quantization of the weights: less memory, more speed, a little less accuracy</source>
        <translation>权重的量化: 内存更少，速度更快，精度略低</translation>
    </message>
    <message>
        <source>reference computes all scores of a token, flash passes over tiles, bf16 does so in products of bfloat16; default: bf16 with --compute bf16, else flash</source>
        <translation>reference 计算一个 token 的所有得分，flash 逐个分片（tile）计算，bf16 同样如此，但采用 bfloat16 乘积；默认: 采用 --compute bf16 时为 bf16，否则为 flash</translation>
    </message>
    <message>
        <source>requests share cached prefixes only with the same salt</source>
        <translation>只有盐值相同的请求才共享已缓存的前缀</translation>
    </message>
    <message>
        <source>sequences that run at once</source>
        <translation>同时运行的序列数</translation>
    </message>
    <message>
        <source>size of a file for blocks that do not fit into the memory for swapping</source>
        <translation>文件的大小；它存放交换内存容纳不下的块</translation>
    </message>
    <message>
        <source>source of draft tokens, which one forward pass of the model verifies</source>
        <translation>草稿 token 的来源，由模型的一次前向传播验证</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>subtracted for each time that a token is in the answer</source>
        <translation>token 每在回答中出现一次，就减去一次</translation>
    </message>
    <message>
        <source>subtracted once from a token that is in the answer</source>
        <translation>token 只要在回答中出现过，就减去一次</translation>
    </message>
    <message>
        <source>the longest ending of the text that is looked up</source>
        <translation>所查找的文本结尾的最大长度</translation>
    </message>
    <message>
        <source>the request with the larger priority goes first</source>
        <translation>优先级较大的请求先行</translation>
    </message>
    <message>
        <source>the same seed gives the same tokens</source>
        <translation>种子相同，token 就相同</translation>
    </message>
    <message>
        <source>the score of an answer is its cumulative logprob / length^penalty</source>
        <translation>回答的得分是其累积对数概率 / 长度^惩罚</translation>
    </message>
    <message>
        <source>threads that compute</source>
        <translation>用于计算的线程数</translation>
    </message>
    <message>
        <source>time from submission to the wished end</source>
        <translation>从提交到期望完成的时间</translation>
    </message>
    <message>
        <source>time that an idle engine collects a batch after the first arrival</source>
        <translation>空闲的引擎在第一个请求到达后收集批次的时间</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>tokens between first and last ones that stay, those with the most attention so far</source>
        <translation>首尾 token 之间留下的 token，即到目前为止获得注意力最多的 token</translation>
    </message>
    <message>
        <source>tokens drafted at a time</source>
        <translation>一次起草的 token 数</translation>
    </message>
    <message>
        <source>tokens in a KV block; larger blocks waste more of the last one of a sequence</source>
        <translation>一个 KV 块中的 token 数；块越大，序列的最后一个块浪费越多</translation>
    </message>
    <message>
        <source>tokens that one step computes at most; longer prompts are cut into chunks</source>
        <translation>一步最多计算的 token 数；更长的提示词会切成分块</translation>
    </message>
    <message>
        <source>tokens to generate for each answer; the end of the context stops earlier</source>
        <translation>每个回答要生成的 token 数；到达上下文末尾时会更早停止</translation>
    </message>
    <message>
        <source>type of the weights in memory</source>
        <translation>内存中权重的类型</translation>
    </message>
    <message>
        <source>what happens to the KV of a preempted sequence</source>
        <translation>被抢占序列的 KV 如何处理</translation>
    </message>
    <message>
        <source>what is evicted when a sequence reaches the limit of its context</source>
        <translation>序列达到上下文上限时驱逐什么</translation>
    </message>
    <message>
        <source>what running sequences need; on the CPU at most 1 GiB</source>
        <translation>运行中的序列所需的内存；在 CPU 上最多 1 GiB</translation>
    </message>
    <message>
        <source>when a beam search ends, as in transformers; false: heuristic</source>
        <translation>束搜索何时结束，与 transformers 相同；false: 启发式</translation>
    </message>
    <message>
        <source>when a drawn token is accepted: if the model draws it too with the same random number, so that drafts change no answer, or by rejection sampling</source>
        <translation>何时接受抽取的 token: 模型以相同的随机数也抽到它，因此草稿不改变任何回答；或者通过拒绝采样</translation>
    </message>
    <message>
        <source>when a request may join the running ones</source>
        <translation>请求何时可以加入运行中的请求</translation>
    </message>
    <message>
        <source>where to compute; a GPU keeps weights, keys and values in its own memory</source>
        <translation>在哪里计算；GPU 把权重、键和值保存在自己的内存中</translation>
    </message>
</context>
<context>
    <name>Prose</name>
    <message>
        <source>slots %1 &lt;= %2 free and blocks %3 &lt;= free - promised = %4 and tokens %5 &lt;= %6 left -&gt; true: admit</source>
        <translation>槽位 %1 &lt;= 空闲 %2 且块 %3 &lt;= 空闲 - 已预留 = %4 且 token %5 &lt;= 剩余 %6 -&gt; true: 准入</translation>
    </message>
    <message>
        <source>slots %1 &lt;= %2 free and blocks %3 &lt;= free - promised = %4 and the whole budget of %6 is left -&gt; true: admit</source>
        <translation>槽位 %1 &lt;= 空闲 %2 且块 %3 &lt;= 空闲 - 已预留 = %4 且全部预算 %6 都未用 -&gt; true: 准入</translation>
    </message>
    <message numerus="yes">
        <source>next = first of %n waiting sequence(s) by policy %1</source>
        <translation><numerusform>下一个 = %n 个等待序列中按策略 %1 排第一的</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>the first beam has computed the %n shared token(s) -&gt; true: admit</source>
        <translation><numerusform>第一个束已算完 %n 个共享 token -&gt; true: 准入</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>need %n block(s) &lt;= free - promised = %1 -&gt; false: wait</source>
        <translation><numerusform>需要 %n 个块 &lt;= 空闲 - 已预留 = %1 -&gt; false: 等待</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>need %n slot(s) &lt;= %1 free -&gt; false: wait</source>
        <translation><numerusform>需要 %n 个槽位 &lt;= 空闲 %1 -&gt; false: 等待</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>need %n token(s) &lt;= %1 left of the budget -&gt; false: wait</source>
        <translation><numerusform>需要 %n 个 token &lt;= 预算剩余 %1 -&gt; false: 等待</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>running sequences need %n block(s) &lt;= %1 free -&gt; false: preempt, and admit none</source>
        <translation><numerusform>运行中的序列需要 %n 个块 &lt;= 空闲 %1 -&gt; false: 抢占，且不准入任何序列</numerusform></translation>
    </message>
    <message>
        <source>a sequence before it waits -&gt; stop: admit none behind it</source>
        <translation>它前面有序列在等待 -&gt; 停止: 其后一律不准入</translation>
    </message>
    <message>
        <source>%1 waits -&gt; stop: admit none behind it</source>
        <translation>%1 在等待 -&gt; 停止: 其后一律不准入</translation>
    </message>
    <message>
        <source>a preempted sequence is to resume: the batch is closed, wait</source>
        <translation>有被抢占的序列待恢复: 批次已关闭，等待</translation>
    </message>
    <message numerus="yes">
        <source>%n running sequence(s) == 0 -&gt; false: the batch is closed, wait</source>
        <translation><numerusform>%n 个运行中的序列 == 0 -&gt; false: 批次已关闭，等待</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 computed &gt;= %n shared token(s) -&gt; false: wait</source>
        <translation><numerusform>已计算 %1 &gt;= %n 个共享 token -&gt; false: 等待</numerusform></translation>
    </message>
    <message>
        <source>%1 ms passed &gt;= %2 ms, or the batch is full -&gt; false: wait</source>
        <translation>已过 %1 ms &gt;= %2 ms，或批次已满 -&gt; false: 等待</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s) in the engine &gt;= the aging limit -&gt; true: due now</source>
        <translation><numerusform>在引擎中已 %n 步 &gt;= 老化上限 -&gt; true: 现在到期</numerusform></translation>
    </message>
    <message>
        <source>Beams chosen</source>
        <translation>束已选定</translation>
    </message>
    <message numerus="yes">
        <source>%1 sorts %n continuation(s) of length %2 by their sums of logprobs: %3 kept, %4 complete, %5 pruned.</source>
        <translation><numerusform>%1 按对数概率之和对 %n 个长度为 %2 的续写排序：保留 %3 个，完成 %4 个，剪枝 %5 个。</numerusform></translation>
    </message>
    <message>
        <source>%1 + “%2” (token %3): %4, %5.</source>
        <translation>%1 + “%2”（token %3）：%4，%5。</translation>
    </message>
    <message>
        <source>Hypothesis %1 is displaced.</source>
        <translation>假设 %1 被挤出。</translation>
    </message>
    <message>
        <source>Beam replaced</source>
        <translation>束被替换</translation>
    </message>
    <message>
        <source>No continuation of %1 is kept, so %1 takes over the tokens of %2 and shares its %3.</source>
        <translation>%1 的续写无一保留，因此 %1 接过 %2 的 token，共享其 %3。</translation>
    </message>
    <message>
        <source>Beam answer</source>
        <translation>束搜索的回答</translation>
    </message>
    <message>
        <source>%1 gives hypothesis %2 as its answer, with score %3.</source>
        <translation>%1 以假设 %2 作为回答，得分 %3。</translation>
    </message>
    <message>
        <source> (chosen)</source>
        <translation> （已选）</translation>
    </message>
    <message>
        <source>Answers ranked</source>
        <translation>回答已排名</translation>
    </message>
    <message>
        <source>%1 ranks its answers by score: %2.</source>
        <translation>%1 按得分给回答排名：%2。</translation>
    </message>
    <message>
        <source>continues as %1</source>
        <translation>继续为 %1</translation>
    </message>
    <message>
        <source>complete: hypothesis %1 with score %2</source>
        <translation>完成：假设 %1，得分 %2</translation>
    </message>
    <message>
        <source>complete, with a score of %1, worse than all hypotheses</source>
        <translation>完成，但得分 %1 低于所有假设</translation>
    </message>
    <message>
        <source>complete, but not among the best continuations</source>
        <translation>完成，但不在最佳续写之列</translation>
    </message>
    <message>
        <source>pruned</source>
        <translation>已剪枝</translation>
    </message>
    <message>
        <source>The search ends: it has as many hypotheses as beams.</source>
        <translation>搜索结束：假设数已达到束数。</translation>
    </message>
    <message>
        <source>The search ends: the best beam can reach %1, the worst hypothesis has %2.</source>
        <translation>搜索结束：最佳束最多可达 %1，最差假设为 %2。</translation>
    </message>
    <message>
        <source>The search ends: all continuations are complete.</source>
        <translation>搜索结束：所有续写都已完成。</translation>
    </message>
    <message>
        <source>Kept: %1.</source>
        <translation>保留：%1。</translation>
    </message>
    <message>
        <source>Complete: %1.</source>
        <translation>完成：%1。</translation>
    </message>
    <message>
        <source>Complete, but worse than all hypotheses: %1.</source>
        <translation>完成，但差于所有假设：%1。</translation>
    </message>
    <message>
        <source>Complete, but not among the best continuations: %1.</source>
        <translation>完成，但不在最佳续写之列：%1。</translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>token %1</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>%1 after %2 (hypothesis %3, score %4)</source>
        <translation>%2 之后的%1（假设 %3，得分 %4）</translation>
    </message>
    <message>
        <source>%1 after %2 (score %3)</source>
        <translation>%2 之后的%1（得分 %3）</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation><numerusform>%1 以及另外 %n 个</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Pruned: %n continuation(s), since the search has ended.</source>
        <translation><numerusform>剪枝：%n 个续写，因为搜索已结束。</numerusform></translation>
    </message>
    <message>
        <source>Pruned: %1, with a lower score than the last kept one.</source>
        <translation>剪枝：%1，得分低于最后一个保留的续写。</translation>
    </message>
    <message numerus="yes">
        <source>Pruned: %n continuation(s), all with a lower score than the last kept one; the best of them is %1.</source>
        <translation><numerusform>剪枝：%n 个续写，得分都低于最后一个保留的续写；其中最好的是 %1。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n cached block(s) in a row &lt;= floor((%1 - 1) / %2) = %3: reuse %4</source>
        <translation><numerusform>连续 %n 个已缓存的块 &lt;= floor((%1 - 1) / %2) = %3: 复用 %4</numerusform></translation>
    </message>
    <message>
        <source>the next block was evicted in step %1 -&gt; whole blocks found: %2</source>
        <translation>下一个块已在第 %1 步被驱逐 -&gt; 找到的完整块: %2</translation>
    </message>
    <message>
        <source>token %1 == %2 -&gt; false at position %3: floor(%3 / %4) * %4 = %5</source>
        <translation>token %1 == %2 -&gt; 在位置 %3 为 false: floor(%3 / %4) * %4 = %5</translation>
    </message>
    <message>
        <source>references of block %1 &gt; 1 -&gt; true: copy it before the write</source>
        <translation>块 %1 的引用数 &gt; 1 -&gt; true: 写入前先复制</translation>
    </message>
    <message numerus="yes">
        <source>need %n block(s) &lt;= %1 free -&gt; true: take from the front</source>
        <translation><numerusform>需要 %n 个块 &lt;= 空闲 %1 -&gt; true: 从队首取</numerusform></translation>
    </message>
    <message>
        <source>need ceil(%1 / %2) - %3 held = %4 &lt;= %5 free -&gt; true: take from the front</source>
        <translation>需要 ceil(%1 / %2) - 已持有 %3 = %4 &lt;= 空闲 %5 -&gt; true: 从队首取</translation>
    </message>
    <message numerus="yes">
        <source>the front of the free queue is cached -&gt; true, %n time(s): forget its tokens</source>
        <translation><numerusform>空闲队列的队首有缓存 -&gt; true，%n 次: 忘掉其 token</numerusform></translation>
    </message>
    <message>
        <source>%1 computed tokens in a block == %1 -&gt; true for %2: register</source>
        <translation>块中已计算 %1 个 token == %1 -&gt; 对 %2 为 true: 登记</translation>
    </message>
    <message>
        <source>references - 1 == 0 -&gt; true for %1: free</source>
        <translation>引用数 - 1 == 0 -&gt; 对 %1 为 true: 释放</translation>
    </message>
    <message>
        <source>references - 1 == 0 -&gt; false for %1: others hold it</source>
        <translation>引用数 - 1 == 0 -&gt; 对 %1 为 false: 仍被其他序列持有</translation>
    </message>
    <message>
        <source>references - 1 == 0 -&gt; true for %1: free; false for %2: others hold it</source>
        <translation>引用数 - 1 == 0 -&gt; 对 %1 为 true: 释放; 对 %2 为 false: 仍被其他序列持有</translation>
    </message>
    <message>
        <source>context == its limit -&gt; true: evict the least attention, %1 of block %2</source>
        <translation>上下文 == 上限 -&gt; true: 驱逐受关注最少的，块 %2 的 %1</translation>
    </message>
    <message>
        <source>context == its limit -&gt; true: evict the first block behind the sinks, %1</source>
        <translation>上下文 == 上限 -&gt; true: 驱逐注意力汇之后的第一个块，%1</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) outside the pool &gt; 0 -&gt; true: read them back</source>
        <translation><numerusform>池外有 %n 个块 &gt; 0 -&gt; true: 读回</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>the move failed -&gt; drop %n token(s)</source>
        <translation><numerusform>移动失败 -&gt; 丢弃 %n 个 token</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>free slots in memory == 0 -&gt; true, %n time(s): the oldest block moves on</source>
        <translation><numerusform>内存中的空闲槽位 == 0 -&gt; true，%n 次: 最早的块移往下一级</numerusform></translation>
    </message>
    <message>
        <source>%1: references + 1, no copy</source>
        <translation>%1: 引用数 + 1，不复制</translation>
    </message>
    <message>
        <source>Block shared</source>
        <translation>块已共享</translation>
    </message>
    <message numerus="yes">
        <source>%1 shares block %2 (%n reference(s)).</source>
        <translation><numerusform>%1 共享块 %2（引用数 %n）。</numerusform></translation>
    </message>
    <message>
        <source>Block copied on write</source>
        <translation>块写时复制</translation>
    </message>
    <message>
        <source>%1 writes into shared block %2, so it is copied to block %3 (copy-on-write).</source>
        <translation>%1 要写入共享块 %2，因此先把它复制到块 %3（写时复制）。</translation>
    </message>
    <message>
        <source>Block cached</source>
        <translation>块已缓存</translation>
    </message>
    <message>
        <source>Block %1 is full and enters the prefix index (hash %2).</source>
        <translation>块 %1 已满，进入前缀索引（哈希 %2）。</translation>
    </message>
    <message>
        <source>Block evicted</source>
        <translation>块被驱逐</translation>
    </message>
    <message>
        <source>Block %1 leaves the prefix index (hash %2).</source>
        <translation>块 %1 移出前缀索引（哈希 %2）。</translation>
    </message>
    <message>
        <source>The context of %1 is full, so %1 evicts block %2 with %3.</source>
        <translation>%1 的上下文已满，因此 %1 驱逐块 %2，即%3。</translation>
    </message>
    <message>
        <source>Context evicted</source>
        <translation>上下文被驱逐</translation>
    </message>
    <message>
        <source>Its tokens received the least attention (%1).</source>
        <translation>它的 token 得到的注意力最少（%1）。</translation>
    </message>
    <message>
        <source>It is the first block behind the attention sinks.</source>
        <translation>它是注意力汇之后的第一个块。</translation>
    </message>
    <message>
        <source>Prefix missed</source>
        <translation>前缀未命中</translation>
    </message>
    <message>
        <source>Block allocated</source>
        <translation>块已分配</translation>
    </message>
    <message numerus="yes">
        <source>%1 allocates %n block(s): %2.</source>
        <translation><numerusform>%1 分配 %n 个块：%2。</numerusform></translation>
    </message>
    <message>
        <source>Prefix cache hit</source>
        <translation>前缀缓存命中</translation>
    </message>
    <message numerus="yes">
        <source>%1 finds %n block(s) in the prefix index: %2.</source>
        <translation><numerusform>%1 在前缀索引中找到 %n 个块：%2。</numerusform></translation>
    </message>
    <message>
        <source>Block freed</source>
        <translation>块已释放</translation>
    </message>
    <message numerus="yes">
        <source>%1 frees %n block(s): %2.</source>
        <translation><numerusform>%1 释放 %n 个块：%2。</numerusform></translation>
    </message>
    <message>
        <source>Block released</source>
        <translation>块已放开</translation>
    </message>
    <message numerus="yes">
        <source>%1 releases %n block(s) that other sequences hold: %2.</source>
        <translation><numerusform>%1 放开 %n 个仍被其他序列持有的块：%2。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>After %n equal token(s) %1 has %3 where %2 has %4.</source>
        <translation><numerusform>在 %n 个相同的 token 之后，%1 是 %3，而 %2 是 %4。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Only whole blocks are reused, so it computes all %n token(s).</source>
        <translation><numerusform>只有完整的块才能复用，因此要计算全部 %n 个 token。</numerusform></translation>
    </message>
    <message>
        <source>Only whole blocks are reused, so it computes %1 of its %2.</source>
        <translation>只有完整的块才能复用，因此要计算其 %2 中的 %1 个。</translation>
    </message>
    <message>
        <source>The block of %1 that %2 begins with was evicted in step %3.</source>
        <translation>%1 有一个块正是 %2 的开头，但它已在第 %3 步被驱逐。</translation>
    </message>
    <message numerus="yes">
        <source>%1 begins with %n cached token(s); the block of %2 that came next was evicted in step %3.</source>
        <translation><numerusform>%1 的开头有 %n 个已缓存的 token；%2 的下一个块已在第 %3 步被驱逐。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>So %1 computes all %n token(s).</source>
        <translation><numerusform>因此 %1 要计算全部 %n 个 token。</numerusform></translation>
    </message>
    <message>
        <source>So %1 computes %2 of its %3.</source>
        <translation>因此 %1 要计算其 %3 中的 %2 个。</translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n reference(s), hash %2)</source>
        <translation><numerusform>%1（引用数 %n，哈希 %2）</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n reference(s) left)</source>
        <translation><numerusform>%1（引用数还剩 %n）</numerusform></translation>
    </message>
    <message>
        <source>next admission</source>
        <translation>下一次准入</translation>
    </message>
    <message>
        <source>A waiting sequence joins the running set.</source>
        <translation>一个等待中的序列加入运行集合。</translation>
    </message>
    <message>
        <source>admission</source>
        <translation>准入</translation>
    </message>
    <message>
        <source>%1 was admitted</source>
        <translation>%1 已准入</translation>
    </message>
    <message>
        <source>first prefill chunk</source>
        <translation>首个预填充分块</translation>
    </message>
    <message>
        <source>A step computes the first tokens of a prompt.</source>
        <translation>某一步计算一个提示词的最初几个 token。</translation>
    </message>
    <message>
        <source>%1 computes the first chunk of its prompt</source>
        <translation>%1 计算其提示词的首个分块</translation>
    </message>
    <message>
        <source>block full</source>
        <translation>块已满</translation>
    </message>
    <message>
        <source>A step computes the last slot of a block.</source>
        <translation>某一步计算一个块的最后一个槽位。</translation>
    </message>
    <message>
        <source>%1 fills a block, up to position %2</source>
        <translation>%1 填满一个块，直到位置 %2</translation>
    </message>
    <message>
        <source>prefix hit</source>
        <translation>前缀命中</translation>
    </message>
    <message>
        <source>A sequence finds a block in the prefix index.</source>
        <translation>一个序列在前缀索引中找到一个块。</translation>
    </message>
    <message>
        <source>%1 finds block %3 in the prefix index</source>
        <translation>%1 在前缀索引中找到块 %3</translation>
    </message>
    <message>
        <source>prefix miss</source>
        <translation>前缀未命中</translation>
    </message>
    <message>
        <source>A prompt is computed again behind its cached beginning.</source>
        <translation>提示词在其已缓存的开头之后被重算。</translation>
    </message>
    <message>
        <source>a part of the prompt of %1 is computed again</source>
        <translation>%1 的部分提示词被重算</translation>
    </message>
    <message>
        <source>copy-on-write</source>
        <translation>写时复制</translation>
    </message>
    <message>
        <source>A shared block is copied before a sequence writes into it.</source>
        <translation>序列写入共享块之前，先复制该块。</translation>
    </message>
    <message>
        <source>%1 writes into shared block %3, which is copied</source>
        <translation>%1 要写入共享块 %3，该块被复制</translation>
    </message>
    <message>
        <source>preemption</source>
        <translation>抢占</translation>
    </message>
    <message>
        <source>A running sequence loses its blocks.</source>
        <translation>一个运行中的序列失去它的块。</translation>
    </message>
    <message>
        <source>%1 was preempted</source>
        <translation>%1 被抢占</translation>
    </message>
    <message>
        <source>swap</source>
        <translation>交换</translation>
    </message>
    <message>
        <source>A block moves out of the pool, or back.</source>
        <translation>一个块移出块池，或移回。</translation>
    </message>
    <message>
        <source>blocks of %1 are swapped</source>
        <translation>%1 的块被交换</translation>
    </message>
    <message>
        <source>draft rejected</source>
        <translation>草稿被拒绝</translation>
    </message>
    <message>
        <source>The model rejects a draft token.</source>
        <translation>模型拒绝一个草稿 token。</translation>
    </message>
    <message>
        <source>the model rejected a draft token of %1, at position %2</source>
        <translation>模型拒绝了 %1 在位置 %2 的一个草稿 token</translation>
    </message>
    <message>
        <source>request finished</source>
        <translation>请求完成</translation>
    </message>
    <message>
        <source>A request ends.</source>
        <translation>一个请求结束。</translation>
    </message>
    <message>
        <source>end</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>%1 has ended</source>
        <translation>%1 已结束</translation>
    </message>
    <message>
        <source>token…</source>
        <translation>token…</translation>
    </message>
    <message>
        <source>A sequence samples a token, given by its text or its number.</source>
        <translation>一个序列采样到某个 token，以其文本或编号指定。</translation>
    </message>
    <message>
        <source>token</source>
        <translation>token</translation>
    </message>
    <message>
        <source>%1 sampled %4 at position %2</source>
        <translation>%1 在位置 %2 采样到 %4</translation>
    </message>
    <message>
        <source>entropy above…</source>
        <translation>熵高于…</translation>
    </message>
    <message>
        <source>The model is less certain of a token than a number of bits.</source>
        <translation>模型对某个 token 的不确定度超过给定的比特数。</translation>
    </message>
    <message>
        <source>entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>the distribution of %1 at position %2 has %5 bits</source>
        <translation>%1 在位置 %2 的分布有 %5 比特</translation>
    </message>
    <message>
        <source>request…</source>
        <translation>请求…</translation>
    </message>
    <message>
        <source>A request arrives, waits, is scheduled, preempted or ends.</source>
        <translation>一个请求到达、等待、被调度、被抢占或结束。</translation>
    </message>
    <message>
        <source>event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>an event concerns %1</source>
        <translation>有事件涉及 %1</translation>
    </message>
    <message>
        <source>step…</source>
        <translation>步…</translation>
    </message>
    <message>
        <source>A step begins.</source>
        <translation>一步开始。</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>a breakpoint names this step</source>
        <translation>有断点指定了这一步</translation>
    </message>
    <message>
        <source>event…</source>
        <translation>事件…</translation>
    </message>
    <message>
        <source>Any event of the run, given by its name in a trace.</source>
        <translation>运行中的任意事件，以其在轨迹中的名称指定。</translation>
    </message>
    <message>
        <source>%6 (%1)</source>
        <translation>%6（%1）</translation>
    </message>
    <message>
        <source>%1 with %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>entropy above %1 bits</source>
        <translation>熵高于 %1 比特</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 has resumed</source>
        <translation>%1 已恢复</translation>
    </message>
    <message>
        <source>sequence resumed</source>
        <translation>序列已恢复</translation>
    </message>
    <message>
        <source>Reached step %1.</source>
        <translation>已到第 %1 步。</translation>
    </message>
    <message>
        <source>Stopped before the first step: %2.</source>
        <translation>停在第一步之前：%2。</translation>
    </message>
    <message>
        <source>Stopped at step %1: %2.</source>
        <translation>停在第 %1 步：%2。</translation>
    </message>
    <message>
        <source>%1 left %2</source>
        <translation>%1 之后剩 %2 个</translation>
    </message>
    <message numerus="yes">
        <source>It was drawn from %n candidate(s)</source>
        <translation><numerusform>从 %n 个候选中抽取</numerusform></translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>%1 (%2).</source>
        <translation>%1（%2）。</translation>
    </message>
    <message>
        <source>It is the draft token, which was accepted.</source>
        <translation>这是草稿 token，已被接受。</translation>
    </message>
    <message>
        <source>It was drawn anew, from what the model finds more likely than the drafter.</source>
        <translation>这是重新抽取的：取自模型认为比草稿器所估更可能的 token。</translation>
    </message>
    <message numerus="yes">
        <source>It is the most likely of %n candidate(s) (temperature 0: greedy).</source>
        <translation><numerusform>它是 %n 个候选中最可能的一个（温度 0：贪心）。</numerusform></translation>
    </message>
    <message>
        <source>It was the only candidate left: %1 removed %2 of %3.</source>
        <translation>它是唯一剩下的候选：%1 去掉了 %3 个中的 %2 个。</translation>
    </message>
    <message>
        <source>steps to the end</source>
        <translation>到结束的步数</translation>
    </message>
    <message>
        <source>tokens per second</source>
        <translation>每秒 token 数</translation>
    </message>
    <message>
        <source>time to first token, p50</source>
        <translation>首个 token 延迟，p50</translation>
    </message>
    <message>
        <source>between tokens, p50</source>
        <translation>token 间隔，p50</translation>
    </message>
    <message>
        <source>between tokens, p95</source>
        <translation>token 间隔，p95</translation>
    </message>
    <message>
        <source>end to end, p50</source>
        <translation>端到端，p50</translation>
    </message>
    <message>
        <source>tokens computed again</source>
        <translation>重算的 token</translation>
    </message>
    <message>
        <source>tokens from the prefix cache</source>
        <translation>来自前缀缓存的 token</translation>
    </message>
    <message>
        <source>preemptions</source>
        <translation>抢占次数</translation>
    </message>
    <message>
        <source>bytes moved by swapping</source>
        <translation>交换移动的字节数</translation>
    </message>
    <message>
        <source>steps of waiting</source>
        <translation>等待的步数</translation>
    </message>
    <message>
        <source>KV blocks at most</source>
        <translation>KV 块峰值</translation>
    </message>
    <message>
        <source>KV memory at most</source>
        <translation>KV 内存峰值</translation>
    </message>
    <message>
        <source>draft tokens accepted</source>
        <translation>接受的草稿 token</translation>
    </message>
    <message>
        <source>Steps of the engine until every request had finished.</source>
        <translation>引擎完成所有请求所用的步数。</translation>
    </message>
    <message>
        <source>Tokens of all answers over the time from the first request to the last token.</source>
        <translation>所有回答的 token 数，除以从第一个请求到最后一个 token 的时间。</translation>
    </message>
    <message>
        <source>Time from a request's arrival to its first token, its wait included: half of the requests took longer.</source>
        <translation>从请求到达到首个 token 的时间，含等待：半数请求更久。</translation>
    </message>
    <message>
        <source>Time between two tokens of one answer: half of the pauses were longer.</source>
        <translation>同一回答中两个 token 之间的时间：半数间隔更长。</translation>
    </message>
    <message>
        <source>Time between two tokens of one answer: one pause of twenty was longer.</source>
        <translation>同一回答中两个 token 之间的时间：每二十个间隔中有一个更长。</translation>
    </message>
    <message>
        <source>Time from a request's arrival to its last token: half of the requests took longer.</source>
        <translation>从请求到达到最后一个 token 的时间：半数请求更久。</translation>
    </message>
    <message>
        <source>Tokens whose KV was computed a second time, since a preemption had thrown it away.</source>
        <translation>因抢占丢弃了 KV 而第二次计算的 token 数。</translation>
    </message>
    <message>
        <source>Tokens of prompts whose KV was found in the prefix cache, so that it was not computed.</source>
        <translation>提示词中 KV 已在前缀缓存里、因而无需计算的 token 数。</translation>
    </message>
    <message>
        <source>How often a running sequence lost its KV blocks to another one.</source>
        <translation>运行中的序列把 KV 块让给其他序列的次数。</translation>
    </message>
    <message>
        <source>Bytes of KV that left the pool, moved on to a file, and came back.</source>
        <translation>移出块池、移往文件以及移回的 KV 字节数。</translation>
    </message>
    <message>
        <source>Steps at whose end a sequence waited, summed over all sequences.</source>
        <translation>步结束时仍有序列在等待的步数，对所有序列求和。</translation>
    </message>
    <message>
        <source>The most KV blocks that were in use at the end of a step.</source>
        <translation>各步结束时在用 KV 块数的最大值。</translation>
    </message>
    <message>
        <source>The memory of the most KV blocks that were in use at the end of a step.</source>
        <translation>各步结束时在用 KV 块数最大时所占的内存。</translation>
    </message>
    <message>
        <source>Share of the draft tokens that the model judged and accepted.</source>
        <translation>模型评判过的草稿 token 中被接受的比例。</translation>
    </message>
    <message numerus="yes">
        <source>Same so far: %n token(s).</source>
        <translation><numerusform>至此相同：%n 个 token。</numerusform></translation>
    </message>
    <message>
        <source>No token was written.</source>
        <translation>没有写出 token。</translation>
    </message>
    <message>
        <source>The only token is the same.</source>
        <translation>唯一的 token 相同。</translation>
    </message>
    <message numerus="yes">
        <source>All %n token(s) are the same.</source>
        <translation><numerusform>全部 %n 个 token 都相同。</numerusform></translation>
    </message>
    <message>
        <source>First difference: step %1</source>
        <translation>首处差异：第 %1 步</translation>
    </message>
    <message>
        <source>No step is scheduled differently.</source>
        <translation>没有哪一步的调度不同。</translation>
    </message>
    <message>
        <source>%1: %2 → %3</source>
        <translation>%1：%2 → %3</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>no option differs</source>
        <translation>选项没有差异</translation>
    </message>
    <message>
        <source>%1 differs from its first token on.</source>
        <translation>%1 从首个 token 起就不同。</translation>
    </message>
    <message>
        <source>%1 differs from its token %2 on.</source>
        <translation>%1 从第 %2 个 token 起不同。</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>%1 decodes its newest token, to sample the next one.</source>
        <translation>%1 解码其最新的 token，以采样下一个。</translation>
    </message>
    <message numerus="yes">
        <source>%1 decodes its newest token and verifies %n draft token(s).</source>
        <translation><numerusform>%1 解码其最新的 token，并验证 %n 个草稿 token。</numerusform></translation>
    </message>
    <message>
        <source>%1 decode one token each, in one batch.</source>
        <translation>%1 在一个批次中各解码一个 token。</translation>
    </message>
    <message numerus="yes">
        <source>%1 decode one token each and verify %n draft token(s).</source>
        <translation><numerusform>%1 各解码一个 token，并验证 %n 个草稿 token。</numerusform></translation>
    </message>
    <message>
        <source>%1 allocates %2</source>
        <translation>%1 分配 %2</translation>
    </message>
    <message>
        <source>%1 of %2 for %3</source>
        <translation>%1，每块 %2，用于%3</translation>
    </message>
    <message numerus="yes">
        <source>%1, behind the %n block(s) that it holds</source>
        <translation><numerusform>%1，接在已持有的 %n 个块之后</numerusform></translation>
    </message>
    <message>
        <source>%1; free before: %2.</source>
        <translation>%1；此前空闲：%2。</translation>
    </message>
    <message>
        <source>%1 swaps in %2 from host memory.</source>
        <translation>%1 从主机内存换入 %2。</translation>
    </message>
    <message>
        <source>%1 swaps in %2 from the file.</source>
        <translation>%1 从文件换入 %2。</translation>
    </message>
    <message>
        <source>%1 swaps in %2, %3 of them from the file.</source>
        <translation>%1 换入 %2，其中 %3 个来自文件。</translation>
    </message>
    <message>
        <source>frees %1</source>
        <translation>释放 %1</translation>
    </message>
    <message>
        <source>releases %1 that other sequences hold</source>
        <translation>放开仍被其他序列持有的 %1</translation>
    </message>
    <message>
        <source>frees %1 and releases %2 that other sequences hold</source>
        <translation>释放 %1，并放开仍被其他序列持有的 %2 个</translation>
    </message>
    <message>
        <source>%1 gives up its former tokens: it %2.</source>
        <translation>%1 放弃原有的 token：%2。</translation>
    </message>
    <message>
        <source>%1 has ended: it %2.</source>
        <translation>%1 已结束：%2。</translation>
    </message>
    <message>
        <source>%1 %2.</source>
        <translation>%1 %2。</translation>
    </message>
    <message>
        <source>The server evicts %1 from its prefix cache.</source>
        <translation>服务器从其前缀缓存中驱逐 %1。</translation>
    </message>
    <message>
        <source>The server puts %1 into its prefix cache.</source>
        <translation>服务器把 %1 放入其前缀缓存。</translation>
    </message>
    <message>
        <source>The prefix index evicts %1, the least recently used first: new tokens need the memory.</source>
        <translation>前缀索引驱逐 %1，最久未用的在先：新 token 需要内存。</translation>
    </message>
    <message numerus="yes">
        <source>%n full block(s)</source>
        <translation><numerusform>%n 个已满的块</numerusform></translation>
    </message>
    <message>
        <source>The prefix index registers %1, so that a later prompt with the same beginning can share the KV.</source>
        <translation>前缀索引登记 %1，以后开头相同的提示词可以共享这些 KV。</translation>
    </message>
    <message numerus="yes">
        <source>The host memory for swapping is full: the engine moves %n block(s) on to the file, the oldest first.</source>
        <translation><numerusform>用于交换的主机内存已满：引擎把 %n 个块移往文件，最早的在先。</numerusform></translation>
    </message>
    <message>
        <source>It needs %1 (free %2), %3 (free %4) and %5 of the step's budget (%6 left).</source>
        <translation>它需要 %1（空闲 %2）、%3（空闲 %4），以及本步预算中的 %5（剩余 %6）。</translation>
    </message>
    <message>
        <source>It needs %1 (free %2), %3 (free %4) and %5. They exceed the budget of %6, so it gets a step of its own.</source>
        <translation>它需要 %1（空闲 %2）、%3（空闲 %4）和 %5。这超出了 %6 的预算，因此它独占一步。</translation>
    </message>
    <message numerus="yes">
        <source>It is the first of %n waiting sequence(s) (policy %1: %2).</source>
        <translation><numerusform>它在 %n 个等待的序列中排第一（策略 %1：%2）。</numerusform></translation>
    </message>
    <message>
        <source>The batch is full %1 ms before its window ends.</source>
        <translation>批次在其窗口结束前 %1 ms 已满。</translation>
    </message>
    <message>
        <source>%1 is the only running sequence (policy %2: %3).</source>
        <translation>%1 是唯一运行中的序列（策略 %2：%3）。</translation>
    </message>
    <message numerus="yes">
        <source>%1 ranks last of %n running sequence(s) (policy %2: %3).</source>
        <translation><numerusform>%1 在 %n 个运行中的序列里排最后（策略 %2：%3）。</numerusform></translation>
    </message>
    <message>
        <source>%1 ranks before it (%2).</source>
        <translation>%1 排在它之前（%2）。</translation>
    </message>
    <message>
        <source>%1 is preempted with the other beams of its search, for %2.</source>
        <translation>%1 与其搜索的其他束一起被抢占，为 %2 让路。</translation>
    </message>
    <message>
        <source>%1 is preempted: %2 needs %3 (free %4) and %5 (free %6) at %7.</source>
        <translation>%1 被抢占：%2 需要 %3（空闲 %4）和 %5（空闲 %6），在%7阶段。</translation>
    </message>
    <message numerus="yes">
        <source>%n slot(s)</source>
        <translation><numerusform>%n 个槽位</numerusform></translation>
    </message>
    <message>
        <source>%1 is preempted: it needs %2, free %3 at %4.</source>
        <translation>%1 被抢占：它需要 %2，%4阶段空闲 %3 个。</translation>
    </message>
    <message>
        <source>%1 is preempted: %2 needs %3, free %4 at %5.</source>
        <translation>%1 被抢占：%2 需要 %3，%5阶段空闲 %4 个。</translation>
    </message>
    <message>
        <source>This swaps out and frees %1.</source>
        <translation>由此换出并释放 %1。</translation>
    </message>
    <message>
        <source>This swaps out %1 and frees %2 of them; other sequences hold the rest.</source>
        <translation>由此换出 %1，释放其中 %2 个；其余仍由其他序列持有。</translation>
    </message>
    <message>
        <source>This frees %1.</source>
        <translation>由此释放 %1。</translation>
    </message>
    <message numerus="yes">
        <source>This frees %1 and drops %n computed token(s).</source>
        <translation><numerusform>由此释放 %1，并丢弃 %n 个已计算的 token。</numerusform></translation>
    </message>
    <message>
        <source>Beams share blocks and are not swapped.</source>
        <translation>束之间共享块，不做交换。</translation>
    </message>
    <message>
        <source>Swapping it out needs room for %1 (free %2).</source>
        <translation>换出需要 %1 的空间（空闲 %2）。</translation>
    </message>
    <message>
        <source>It holds no block to swap out.</source>
        <translation>它没有可换出的块。</translation>
    </message>
    <message>
        <source>Swapping it out has failed.</source>
        <translation>换出失败。</translation>
    </message>
    <message numerus="yes">
        <source>%n slot(s), one a sequence</source>
        <translation><numerusform>%n 个槽位，每个序列一个</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>at least %n token(s)</source>
        <translation><numerusform>至少 %n 个 token</numerusform></translation>
    </message>
    <message>
        <source>%1 on the host, %2 on disk</source>
        <translation>主机内存 %1 个，磁盘 %2 个</translation>
    </message>
    <message>
        <source>submitted</source>
        <translation>已提交</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>尚无</translation>
    </message>
    <message>
        <source>after %1</source>
        <translation>%1 之后</translation>
    </message>
    <message numerus="yes">
        <source>%n beam(s)</source>
        <translation><numerusform>%n 个束</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s)</source>
        <translation><numerusform>%n 个回答</numerusform></translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>does not wait</source>
        <translation>不在等待</translation>
    </message>
    <message numerus="yes">
        <source>computes %n token(s) again</source>
        <translation><numerusform>重算 %n 个 token</numerusform></translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation>%1 / %2 个 token</translation>
    </message>
    <message>
        <source>free, its content cached</source>
        <translation>空闲，内容已缓存</translation>
    </message>
    <message>
        <source>free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>no sequence</source>
        <translation>无序列</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n other(s)</source>
        <translation><numerusform>%1 以及另外 %n 个</numerusform></translation>
    </message>
    <message>
        <source>%1, %2, cached</source>
        <translation>%1，%2，已缓存</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, of them %2 on disk</source>
        <translation>%1，其中 %2 个在磁盘上</translation>
    </message>
    <message>
        <source>not there yet</source>
        <translation>尚不存在</translation>
    </message>
    <message>
        <source>forgotten</source>
        <translation>已遗忘</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>preempted</source>
        <translation>被抢占</translation>
    </message>
    <message>
        <source>swapped out</source>
        <translation>已换出</translation>
    </message>
    <message>
        <source>finished: %1</source>
        <translation>已完成：%1</translation>
    </message>
    <message>
        <source>%1, since step %2</source>
        <translation>%1，自第 %2 步起</translation>
    </message>
    <message>
        <source>%1, others from position %2 on</source>
        <translation>%1，从位置 %2 起为其他内容</translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>块 %1</translation>
    </message>
    <message>
        <source>Blocks %1-%2</source>
        <translation>块 %1-%2</translation>
    </message>
    <message>
        <source>used by</source>
        <translation>使用者</translation>
    </message>
    <message>
        <source>%1, with other tokens</source>
        <translation>%1，token 不同</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>调度器</translation>
    </message>
    <message>
        <source>KV memory</source>
        <translation>KV 内存</translation>
    </message>
    <message>
        <source>free queue</source>
        <translation>空闲队列</translation>
    </message>
    <message>
        <source>cached blocks</source>
        <translation>缓存块</translation>
    </message>
    <message>
        <source>shared blocks</source>
        <translation>共享块</translation>
    </message>
    <message>
        <source>swap slots</source>
        <translation>交换槽位</translation>
    </message>
    <message>
        <source>request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>首个 token</translation>
    </message>
    <message>
        <source>beams</source>
        <translation>束</translation>
    </message>
    <message>
        <source>complete answers</source>
        <translation>完整的回答</translation>
    </message>
    <message>
        <source>status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>computed tokens</source>
        <translation>已计算的 token</translation>
    </message>
    <message>
        <source>block table</source>
        <translation>块表</translation>
    </message>
    <message>
        <source>evicted from the context</source>
        <translation>已逐出上下文</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>位次</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>Nothing is computed in this step.</source>
        <translation>本步没有计算任何内容。</translation>
    </message>
    <message>
        <source>The engine failed: %1.</source>
        <translation>引擎失败：%1。</translation>
    </message>
    <message>
        <source>%1 ended: a step of its request failed.</source>
        <translation>%1 已结束：其请求的一步失败了。</translation>
    </message>
    <message>
        <source>The blocks of %1 could not be copied out: %2.</source>
        <translation>%1 的块无法复制出去：%2。</translation>
    </message>
    <message>
        <source>The blocks of %1 could not be written to the disk: %2.</source>
        <translation>%1 的块无法写入磁盘：%2。</translation>
    </message>
    <message>
        <source>The blocks of %1 could not be copied back: %2.</source>
        <translation>%1 的块无法复制回来：%2。</translation>
    </message>
    <message numerus="yes">
        <source>The search of %1 loses its %n block(s): %2.</source>
        <translation><numerusform>%1 的搜索失去 %n 个块：%2。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 lose their %n block(s): %2.</source>
        <translation><numerusform>%1 失去 %n 个块：%2。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 loses its %n block(s), copied out of the pool: %2.</source>
        <translation><numerusform>%1 失去 %n 个块，它们已复制到池外：%2。</numerusform></translation>
    </message>
    <message>
        <source>%1 is preempted: %2.</source>
        <translation>%1 被抢占：%2。</translation>
    </message>
    <message numerus="yes">
        <source>%1 loses its %n block(s) and must compute %2 again: %3.</source>
        <translation><numerusform>%1 失去 %n 个块，必须重算 %2：%3。</numerusform></translation>
    </message>
    <message>
        <source>%1 goes first</source>
        <translation>%1 优先</translation>
    </message>
    <message numerus="yes">
        <source>it needs %n more, and none is free</source>
        <translation><numerusform>它还需要 %n 个，而没有空闲的</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>it needs %n more, %1 free</source>
        <translation><numerusform>它还需要 %n 个，空闲 %1 个</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 needs %n block(s), and none is free</source>
        <translation><numerusform>%1 需要 %n 个块，而没有空闲的</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 needs %n block(s), %2 free</source>
        <translation><numerusform>%1 需要 %n 个块，空闲 %2 个</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>The context of %1 is full: block %2 with %n token(s) leaves it.</source>
        <translation><numerusform>%1 的上下文已满：含 %n 个 token 的块 %2 离开上下文。</numerusform></translation>
    </message>
    <message>
        <source>The contexts of %1 are full, and each gives up a block.</source>
        <translation>%1 的上下文已满，各让出一个块。</translation>
    </message>
    <message numerus="yes">
        <source>The prefix index gives up %n block(s)</source>
        <translation><numerusform>前缀索引让出 %n 个块</numerusform></translation>
    </message>
    <message>
        <source>%1: %2 needs room.</source>
        <translation>%1：%2 需要空间。</translation>
    </message>
    <message numerus="yes">
        <source>%1 find too little in the prefix index: %n token(s) are computed again.</source>
        <translation><numerusform>%1 在前缀索引中找到的太少：重算 %n 个 token。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 computes %n token(s)</source>
        <translation><numerusform>%1 计算 %n 个 token</numerusform></translation>
    </message>
    <message>
        <source>%1: the block that it had in common with %2 was evicted.</source>
        <translation>%1：它与 %2 共有的块已被驱逐。</translation>
    </message>
    <message>
        <source>%1: it differs from %2 at once.</source>
        <translation>%1：它从一开始就与 %2 不同。</translation>
    </message>
    <message numerus="yes">
        <source>%1: it differs from %2 after %n token(s).</source>
        <translation><numerusform>%1：它在 %n 个 token 之后与 %2 不同。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) rejected: %1.</source>
        <translation><numerusform>%n 个请求被拒绝：%1。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 keep %2 of %n draft token(s).</source>
        <translation><numerusform>%1 保留 %n 个草稿 token 中的 %2 个。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 keeps %2 of %n draft token(s).</source>
        <translation><numerusform>%1 保留 %n 个草稿 token 中的 %2 个。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 keeps %2 of %n draft token(s): the model writes %3, not %4.</source>
        <translation><numerusform>%1 保留 %n 个草稿 token 中的 %2 个：模型写的是%3，不是%4。</numerusform></translation>
    </message>
    <message>
        <source>%1 are admitted.</source>
        <translation>%1 已准入。</translation>
    </message>
    <message>
        <source>%1 come back.</source>
        <translation>%1 回来了。</translation>
    </message>
    <message numerus="yes">
        <source>%1 start with %n prompt token(s) in all.</source>
        <translation><numerusform>%1 开始，提示词共 %n 个 token。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 start with %n prompt token(s) in all, %2 of them cached.</source>
        <translation><numerusform>%1 开始，提示词共 %n 个 token，其中 %2 个已缓存。</numerusform></translation>
    </message>
    <message>
        <source>%1 begins to answer.</source>
        <translation>%1 开始回答。</translation>
    </message>
    <message>
        <source>%1 joins its search.</source>
        <translation>%1 加入其搜索。</translation>
    </message>
    <message numerus="yes">
        <source>%1 comes back: the KV of %n token(s) is copied in again.</source>
        <translation><numerusform>%1 回来了：%n 个 token 的 KV 被复制回来。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 comes back and computes %n token(s) again.</source>
        <translation><numerusform>%1 回来了，重算 %n 个 token。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 starts: %2 of its %n token(s) are cached already.</source>
        <translation><numerusform>%1 开始：其 %n 个 token 中有 %2 个已缓存。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 starts with %n token(s) to compute.</source>
        <translation><numerusform>%1 开始，要计算 %n 个 token。</numerusform></translation>
    </message>
    <message>
        <source>%1 wait behind %2.</source>
        <translation>%1 排在 %2 之后等待。</translation>
    </message>
    <message>
        <source>%1 waits behind %2.</source>
        <translation>%1 排在 %2 之后等待。</translation>
    </message>
    <message>
        <source>%1 wait: %2.</source>
        <translation>%1 等待：%2。</translation>
    </message>
    <message>
        <source>%1 waits: %2.</source>
        <translation>%1 等待：%2。</translation>
    </message>
    <message>
        <source>The search of %1 is cancelled.</source>
        <translation>%1 的搜索已取消。</translation>
    </message>
    <message>
        <source>The search of %1 ends.</source>
        <translation>%1 的搜索结束。</translation>
    </message>
    <message>
        <source>%1 are done.</source>
        <translation>%1 已完成。</translation>
    </message>
    <message numerus="yes">
        <source>%1 is cancelled after %n token(s).</source>
        <translation><numerusform>%1 在 %n 个 token 之后被取消。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 is done: it has the %n token(s) that it may write.</source>
        <translation><numerusform>%1 已完成：已写满允许的 %n 个 token。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 is done after %n token(s).</source>
        <translation><numerusform>%1 在 %n 个 token 之后完成。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>The prompt of %1 is computed: %n more answer(s) share its blocks.</source>
        <translation><numerusform>%1 的提示词已算完：另有 %n 个回答共享它的块。</numerusform></translation>
    </message>
    <message>
        <source>%1 write their first tokens.</source>
        <translation>%1 写出各自的首个 token。</translation>
    </message>
    <message>
        <source>%1 writes its first token, %2.</source>
        <translation>%1 写出首个 token：%2。</translation>
    </message>
    <message numerus="yes">
        <source>%1 keep all %n draft token(s).</source>
        <translation><numerusform>%1 保留全部 %n 个草稿 token。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 keeps all %n draft token(s).</source>
        <translation><numerusform>%1 保留全部 %n 个草稿 token。</numerusform></translation>
    </message>
    <message>
        <source>A step is computed.</source>
        <translation>计算了一步。</translation>
    </message>
    <message>
        <source>%1 writes %2.</source>
        <translation>%1 写出%2。</translation>
    </message>
    <message numerus="yes">
        <source>%n sequence(s) write a token each.</source>
        <translation><numerusform>%n 个序列各写出一个 token。</numerusform></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>A token each: %1.</source>
        <translation>各写一个 token：%1。</translation>
    </message>
    <message numerus="yes">
        <source>The search of %1 goes on with its %n best continuation(s).</source>
        <translation><numerusform>%1 的搜索以 %n 个最佳续写继续。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) of its prompt</source>
        <translation><numerusform>其提示词的 %n 个 token</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 compute %n more prompt token(s).</source>
        <translation><numerusform>%1 又计算提示词的 %n 个 token。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 computes %2, and %n are left.</source>
        <translation><numerusform>%1 计算%2，还剩 %n 个。</numerusform></translation>
    </message>
    <message>
        <source>%1 computes the last %2.</source>
        <translation>%1 计算最后一部分：%2。</translation>
    </message>
    <message>
        <source>Engine loaded</source>
        <translation>引擎已加载</translation>
    </message>
    <message>
        <source>The engine runs %1 (%2) on %3 (%4), with %5 of %6.</source>
        <translation>引擎运行 %1（%2），后端 %3（%4），有 %5，每块 %6。</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n layer(s)</source>
        <translation><numerusform>%1，%n 层</numerusform></translation>
    </message>
    <message>
        <source>A step computes at most %1, for at most %2 (whole contexts that fit: %3).</source>
        <translation>一步最多计算 %1，最多服务 %2（能容纳的完整上下文：%3）。</translation>
    </message>
    <message>
        <source>A drawn draft token is accepted if the model draws it too with the same random number.</source>
        <translation>抽取的草稿 token 仅当模型用同一个随机数也抽到它时才被接受。</translation>
    </message>
    <message>
        <source>A drawn draft token is accepted by rejection sampling.</source>
        <translation>抽取的草稿 token 按拒绝采样来接受。</translation>
    </message>
    <message>
        <source>Its packed weights were read from the copy that an earlier start had kept.</source>
        <translation>打包好的权重读自先前启动时保存的副本。</translation>
    </message>
    <message>
        <source>Its weights were packed, and are being kept for the next start.</source>
        <translation>权重已打包，并正在为下次启动保存。</translation>
    </message>
    <message>
        <source>Engine failed</source>
        <translation>引擎失败</translation>
    </message>
    <message>
        <source>The engine failed: %1</source>
        <translation>引擎失败：%1</translation>
    </message>
    <message>
        <source>Options changed</source>
        <translation>选项已更改</translation>
    </message>
    <message>
        <source>From the next step on a step computes at most %1. %2</source>
        <translation>从下一步起，一步最多计算 %1。%2</translation>
    </message>
    <message>
        <source>Cached prefixes are used again.</source>
        <translation>重新使用已缓存的前缀。</translation>
    </message>
    <message>
        <source>Cached prefixes are not used.</source>
        <translation>不使用已缓存的前缀。</translation>
    </message>
    <message>
        <source>Preempted sequences are swapped out.</source>
        <translation>被抢占的序列会被换出。</translation>
    </message>
    <message>
        <source>Preempted sequences are computed again.</source>
        <translation>被抢占的序列会被重算。</translation>
    </message>
    <message>
        <source>Drafts have at most %1.</source>
        <translation>草稿最多 %1。</translation>
    </message>
    <message>
        <source>Nothing is drafted.</source>
        <translation>不起草草稿。</translation>
    </message>
    <message>
        <source>Limits measured</source>
        <translation>上限已测量</translation>
    </message>
    <message>
        <source>%1 computes at most %2 GFLOP/s and moves %3 GB/s.</source>
        <translation>%1 最高 %2 GFLOP/s，搬运速度 %3 GB/s。</translation>
    </message>
    <message>
        <source>The peak is that of %1, the bandwidth that of the memory.</source>
        <translation>峰值是 %1 的峰值，带宽是内存的带宽。</translation>
    </message>
    <message>
        <source>The peak of products is %1 GFLOP/s, that of %2.</source>
        <translation>乘积的峰值为 %1 GFLOP/s，即 %2 的峰值。</translation>
    </message>
    <message>
        <source>Details dropped</source>
        <translation>细节被丢弃</translation>
    </message>
    <message numerus="yes">
        <source>The queue was full and dropped %n detail event(s).</source>
        <translation><numerusform>队列已满，丢弃了 %n 个细节事件。</numerusform></translation>
    </message>
    <message>
        <source>Snapshot</source>
        <translation>快照</translation>
    </message>
    <message>
        <source>The whole state of the machine.</source>
        <translation>机器的完整状态。</translation>
    </message>
    <message>
        <source>block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>block|blocks</source>
        <translation>块|kv 块|block|blocks</translation>
    </message>
    <message>
        <source>A piece of the KV memory with room for a fixed number of tokens, taken from the pool and given back as a whole.</source>
        <translation>KV 内存的一段，可容纳固定数量的 token，从块池整块取用、整块归还。</translation>
    </message>
    <message>
        <source>block table|block tables</source>
        <translation>块表|block table|block tables</translation>
    </message>
    <message>
        <source>The list of a sequence's blocks in the order of its tokens, like the page table of a process.</source>
        <translation>序列的块按其 token 顺序排成的列表，类似进程的页表。</translation>
    </message>
    <message>
        <source>copy-on-write|copies on write</source>
        <translation>写时复制|copy-on-write</translation>
    </message>
    <message>
        <source>A shared block is copied only when one of its holders writes into it.</source>
        <translation>共享块只有在某个持有者要写入时才被复制。</translation>
    </message>
    <message>
        <source>evict</source>
        <translation>驱逐</translation>
    </message>
    <message>
        <source>evict|evicts|evicted|eviction</source>
        <translation>驱逐|逐出|evict|eviction</translation>
    </message>
    <message>
        <source>To take a cached block for something else; its content can then be found no more.</source>
        <translation>把一个缓存块挪作他用；此后再也找不到它的内容。</translation>
    </message>
    <message>
        <source>The blocks that no sequence holds, in the order in which they are taken; cached ones stay for as long as possible.</source>
        <translation>不被任何序列持有的块，按取用顺序排列；缓存块会尽可能久地保留。</translation>
    </message>
    <message>
        <source>hash</source>
        <translation>哈希</translation>
    </message>
    <message>
        <source>hash|hashes</source>
        <translation>哈希|hash|hashes</translation>
    </message>
    <message>
        <source>A number made of the tokens of a block and of all before it, by which the prefix cache finds it again.</source>
        <translation>由一个块及其之前所有 token 算出的数，前缀缓存靠它重新找到这个块。</translation>
    </message>
    <message>
        <source>preempt</source>
        <translation>抢占</translation>
    </message>
    <message>
        <source>preempt|preempts|preempted|preemption</source>
        <translation>抢占|preempt|preemption</translation>
    </message>
    <message>
        <source>To take the blocks of a running sequence for one that goes before it; it waits, and goes on later.</source>
        <translation>把一个运行中序列的块让给优先于它的序列；它先等待，稍后继续。</translation>
    </message>
    <message>
        <source>prefix cache</source>
        <translation>前缀缓存</translation>
    </message>
    <message>
        <source>prefix cache|prefix hit|prefix hits|cached</source>
        <translation>前缀缓存|前缀命中|已缓存|prefix cache|prefix hit|cached</translation>
    </message>
    <message>
        <source>Full blocks that stay known by their tokens, so that a prompt with the same beginning finds them computed.</source>
        <translation>以其 token 为标识保留下来的已满的块，开头相同的提示词会发现它们已经算好。</translation>
    </message>
    <message>
        <source>swap|swaps|swapped|swapping</source>
        <translation>交换|换出|换入|swap</translation>
    </message>
    <message>
        <source>To move the blocks of a preempted sequence to the host's memory or a file, and back when it goes on.</source>
        <translation>把被抢占序列的块移到主机内存或文件，等它继续时再移回。</translation>
    </message>
    <message>
        <source>arithmetic intensity</source>
        <translation>算术强度</translation>
    </message>
    <message>
        <source>arithmetic intensity|flop/byte</source>
        <translation>算术强度|flop/byte</translation>
    </message>
    <message>
        <source>Operations for each byte read: left of the ridge of the roofline memory limits an operation, right of it arithmetic does.</source>
        <translation>每读取一个字节所做的运算次数：在屋顶线的脊点左侧，操作受内存限制；右侧受运算能力限制。</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>For each token, a weighted sum over the values of the tokens before it: the weights say where the token looks.</source>
        <translation>对每个 token，把它之前各 token 的值加权求和：权重表明该 token 看向哪里。</translation>
    </message>
    <message>
        <source>attention sink</source>
        <translation>注意力汇</translation>
    </message>
    <message>
        <source>attention sink|attention sinks|sink|sinks</source>
        <translation>注意力汇|attention sink|attention sinks|sink|sinks</translation>
    </message>
    <message>
        <source>The first tokens of a text, which attention leans on whatever they say; a context that evicts keeps them.</source>
        <translation>文本最前面的几个 token，无论内容如何，注意力都依靠它们；会驱逐的上下文总保留它们。</translation>
    </message>
    <message>
        <source>bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>bandwidth|gb/s</source>
        <translation>带宽|gb/s</translation>
    </message>
    <message>
        <source>Bytes that can be read from memory in a second; a step of decode reads every weight.</source>
        <translation>每秒能从内存读取的字节数；解码的一步要读取全部权重。</translation>
    </message>
    <message>
        <source>early exit</source>
        <translation>提前退出</translation>
    </message>
    <message>
        <source>early exit|exit layer</source>
        <translation>提前退出|退出层|early exit</translation>
    </message>
    <message>
        <source>Stopping after the first layers of a model: their guess is cheap, and may serve as a draft.</source>
        <translation>只算模型的前几层就停下：由此得到的猜测代价低，可用作草稿。</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>embedding|embeddings|embed</source>
        <translation>嵌入|嵌入向量|embedding|embeddings</translation>
    </message>
    <message>
        <source>The vector that stands for a token at the input of the first layer.</source>
        <translation>在第一层输入处代表一个 token 的向量。</translation>
    </message>
    <message>
        <source>forward pass</source>
        <translation>前向传播</translation>
    </message>
    <message>
        <source>forward pass|forward</source>
        <translation>前向传播|前向|forward pass|forward</translation>
    </message>
    <message>
        <source>One run of a batch through all layers of the model.</source>
        <translation>一个批次走过模型所有层的一次计算。</translation>
    </message>
    <message>
        <source>gate-up</source>
        <translation>gate-up</translation>
    </message>
    <message>
        <source>The two matrices that widen the hidden state inside a layer; one of them gates the other.</source>
        <translation>在层内把隐藏状态拓宽的两个矩阵；其中一个对另一个进行门控。</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>gflop/s|gflops</source>
        <translation>gflop/s|gflops</translation>
    </message>
    <message>
        <source>Billions of floating-point operations a second; a multiply-add counts two.</source>
        <translation>每秒十亿次浮点运算；一次乘加算两次。</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>head|heads</source>
        <translation>注意力头|输出头|head|heads</translation>
    </message>
    <message>
        <source>One of the attentions that a layer computes side by side; also the last matrix, which turns a hidden state into logits.</source>
        <translation>一层中并行计算的各个注意力之一；也指把隐藏状态变成 logit 的最后一个矩阵。</translation>
    </message>
    <message>
        <source>heavy hitter</source>
        <translation>重击 token</translation>
    </message>
    <message>
        <source>heavy hitter|heavy hitters</source>
        <translation>重击 token|heavy hitter|heavy hitters</translation>
    </message>
    <message>
        <source>A token that has received much attention; a context that evicts by score keeps it.</source>
        <translation>得到大量注意力的 token；按得分驱逐的上下文会保留它。</translation>
    </message>
    <message>
        <source>hidden state</source>
        <translation>隐藏状态</translation>
    </message>
    <message>
        <source>hidden state|hidden states</source>
        <translation>隐藏状态|hidden state|hidden states</translation>
    </message>
    <message>
        <source>The vector that a token has between two layers: its embedding, and what each layer has added to it.</source>
        <translation>一个 token 在两层之间的向量：它的嵌入，加上各层对它的累加。</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>kv cache|kv memory|kv</source>
        <translation>kv 缓存|kv 内存|kv</translation>
    </message>
    <message>
        <source>The keys and values of the tokens computed so far, kept so that no later step computes them again.</source>
        <translation>至今已计算的 token 的键和值，保留下来，使以后各步无需重算。</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>layer|layers</source>
        <translation>各层|每层|一层|层|layer|layers</translation>
    </message>
    <message>
        <source>One of the equal stages of the model: attention, then a small network, each adding to the hidden state.</source>
        <translation>模型中结构相同的各级之一：先是注意力，再是一个小网络，各自累加到隐藏状态上。</translation>
    </message>
    <message>
        <source>logit</source>
        <translation>logit</translation>
    </message>
    <message>
        <source>logit|logits</source>
        <translation>logit|logits</translation>
    </message>
    <message>
        <source>The model's raw number for a token; the softmax of all of them gives probabilities.</source>
        <translation>模型对一个 token 给出的原始数值；对所有 logit 做 softmax 得到概率。</translation>
    </message>
    <message>
        <source>logit lens</source>
        <translation>logit 透镜</translation>
    </message>
    <message>
        <source>What the model would say if it ended after a layer: the final norm and the head over that layer's states.</source>
        <translation>假如模型在某一层之后就结束，它会说什么：把最终归一化和输出头作用于该层的状态。</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>范数</translation>
    </message>
    <message>
        <source>norm|norms</source>
        <translation>范数|归一化|norm|norms</translation>
    </message>
    <message>
        <source>The length of a vector; before each part of a layer, the hidden state is scaled to one length.</source>
        <translation>向量的长度；在层的每个部分之前，隐藏状态都被缩放到统一的长度。</translation>
    </message>
    <message>
        <source>position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>position|positions</source>
        <translation>位置|position|positions</translation>
    </message>
    <message>
        <source>The place of a token in its sequence, counted from 0.</source>
        <translation>token 在其序列中的序号，从 0 数起。</translation>
    </message>
    <message>
        <source>q k v</source>
        <translation>q k v</translation>
    </message>
    <message>
        <source>The matrices that make of a hidden state a query, a key and a value, with which attention compares tokens.</source>
        <translation>从隐藏状态得出查询、键和值的矩阵，注意力用它们来比较 token。</translation>
    </message>
    <message>
        <source>quantization</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>quantization|quantized|int8|int4</source>
        <translation>量化|int8|int4</translation>
    </message>
    <message>
        <source>Weights as small integers with a scale for each group, so that a step reads fewer bytes.</source>
        <translation>用小整数加上每组一个缩放因子来存放权重，使每步读取的字节更少。</translation>
    </message>
    <message>
        <source>roofline</source>
        <translation>屋顶线</translation>
    </message>
    <message>
        <source>The most that a machine allows an operation: its bandwidth, or its arithmetic, whichever ends first.</source>
        <translation>机器对一个操作所允许的极限：带宽或运算能力，看哪个先用尽。</translation>
    </message>
    <message>
        <source>rotary</source>
        <translation>旋转位置编码</translation>
    </message>
    <message>
        <source>rotary|rope</source>
        <translation>旋转位置编码|rotary|rope</translation>
    </message>
    <message>
        <source>Queries and keys are turned by angles that grow with the position, so that attention sees distances.</source>
        <translation>把查询和键旋转一个随位置增大的角度，使注意力能看出距离。</translation>
    </message>
    <message>
        <source>token|tokens</source>
        <translation>token|tokens|词元</translation>
    </message>
    <message>
        <source>A piece of text that the model reads and writes as one: a word, a part of it, or a sign.</source>
        <translation>模型作为一个整体读写的一小段文本：一个词、词的一部分或一个符号。</translation>
    </message>
    <message>
        <source>another beam of its search is preempted -&gt; true: preempt all</source>
        <translation>其搜索的另一个束被抢占 -&gt; true: 全部抢占</translation>
    </message>
    <message>
        <source>%1 ranks before it and needs blocks %2 &lt;= %3 free and slots %4 &lt;= %5 free -&gt; false: preempt</source>
        <translation>%1 排在它之前，需要块 %2 &lt;= 空闲 %3 且槽位 %4 &lt;= 空闲 %5 -&gt; false: 抢占</translation>
    </message>
    <message>
        <source>%1 needs %2 &lt;= %3 free -&gt; false: preempt</source>
        <translation>%1 需要 %2 &lt;= 空闲 %3 -&gt; false: 抢占</translation>
    </message>
    <message numerus="yes">
        <source>victim = last of %n running sequence(s) by policy %1 = %2</source>
        <translation><numerusform>被抢占者 = %n 个运行中的序列里按策略 %1 排最后的 = %2</numerusform></translation>
    </message>
    <message>
        <source>%1 computed + a chunk of %2 = %3 == %4 tokens -&gt; false: %5 left</source>
        <translation>已计算 %1 + 分块 %2 = %3 == %4 个 token -&gt; false: 剩余 %5</translation>
    </message>
    <message>
        <source>%1 computed + a chunk of %2 = %3 == %4 tokens -&gt; true: sample</source>
        <translation>已计算 %1 + 分块 %2 = %3 == %4 个 token -&gt; true: 采样</translation>
    </message>
    <message>
        <source>%1 decode + %2 prefill = %3 &lt;= a budget of %4 -&gt; true</source>
        <translation>解码 %1 + 预填充 %2 = %3 &lt;= 预算 %4 -&gt; true</translation>
    </message>
    <message>
        <source>%1 decode + %2 prefill = %3 &lt;= a budget of %4 -&gt; false: in a step of its own</source>
        <translation>解码 %1 + 预填充 %2 = %3 &lt;= 预算 %4 -&gt; false: 独占一步</translation>
    </message>
    <message>
        <source>%1 * 1 token not computed = %1: decodes go before prefills</source>
        <translation>%1 * 1 个未计算的 token = %1: 解码先于预填充</translation>
    </message>
    <message>
        <source>%1 * 1 token not computed + %2 draft = %3: decodes go before prefills</source>
        <translation>%1 * 1 个未计算的 token + %2 个草稿 = %3: 解码先于预填充</translation>
    </message>
    <message numerus="yes">
        <source>no KV cache -&gt; drop %n token(s)</source>
        <translation><numerusform>无 KV 缓存 -&gt; 丢弃 %n 个 token</numerusform></translation>
    </message>
    <message>
        <source>stop token or stop string -&gt; true: finish</source>
        <translation>停止 token 或停止字符串 -&gt; true: 完成</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) generated, the most allowed -&gt; true: finish</source>
        <translation><numerusform>已生成 %n 个 token，达到上限 -&gt; true: 完成</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>swapping is off -&gt; drop %n computed token(s)</source>
        <translation><numerusform>交换已关闭 -&gt; 丢弃 %n 个已计算的 token</numerusform></translation>
    </message>
    <message>
        <source>0 blocks to swap out -&gt; drop the KV</source>
        <translation>可换出的块为 0 -&gt; 丢弃 KV</translation>
    </message>
    <message numerus="yes">
        <source>swap out %n block(s) &lt;= room for %1 -&gt; false: drop the KV</source>
        <translation><numerusform>换出 %n 个块 &lt;= 剩余空间 %1 -&gt; false: 丢弃 KV</numerusform></translation>
    </message>
    <message>
        <source>swapping out failed -&gt; drop the KV</source>
        <translation>换出失败 -&gt; 丢弃 KV</translation>
    </message>
    <message numerus="yes">
        <source>swap out %n block(s) &lt;= room for %1 -&gt; true: swap out</source>
        <translation><numerusform>换出 %n 个块 &lt;= 剩余空间 %1 -&gt; true: 换出</numerusform></translation>
    </message>
    <message>
        <source>a beam -&gt; drop the KV</source>
        <translation>是束 -&gt; 丢弃 KV</translation>
    </message>
    <message>
        <source>The request that came first goes first.</source>
        <translation>先来的请求优先。</translation>
    </message>
    <message>
        <source>The request with the largest priority goes first.</source>
        <translation>优先级最高的请求优先。</translation>
    </message>
    <message>
        <source>The request that is due first goes first.</source>
        <translation>最先到期的请求优先。</translation>
    </message>
    <message>
        <source>The shortest request goes first.</source>
        <translation>最短的请求优先。</translation>
    </message>
    <message>
        <source>request number %1, %2</source>
        <translation>请求序号 %1，%2</translation>
    </message>
    <message>
        <source>priority %1, %2</source>
        <translation>优先级 %1，%2</translation>
    </message>
    <message>
        <source>no deadline</source>
        <translation>无截止时间</translation>
    </message>
    <message>
        <source>due %1 after the start of the run</source>
        <translation>运行开始后 %1 到期</translation>
    </message>
    <message numerus="yes">
        <source>%n prompt and maximum token(s), %1</source>
        <translation><numerusform>提示词与上限共 %n 个 token，%1</numerusform></translation>
    </message>
    <message>
        <source>arrived before the first step</source>
        <translation>在第一步之前到达</translation>
    </message>
    <message>
        <source>arrived after step %1</source>
        <translation>在第 %1 步之后到达</translation>
    </message>
    <message>
        <source>Cost of the preemption of %1: %2 (%3) out and in again; reading them back took %4.</source>
        <translation>抢占 %1 的代价：%2（%3）换出又换入；读回用了 %4。</translation>
    </message>
    <message>
        <source>Cost of the preemption of %1: %2 (%3) out and in again; all moves of this step took %4.</source>
        <translation>抢占 %1 的代价：%2（%3）换出又换入；本步的所有移动用了 %4。</translation>
    </message>
    <message numerus="yes">
        <source>Cost of the preemption of %1: none, for the prefix index still had its %n computed token(s).</source>
        <translation><numerusform>抢占 %1 的代价：无，因为前缀索引中仍有它已计算的 %n 个 token。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Cost of the preemption of %1: %n token(s) computed again, about %2 of the forward pass.</source>
        <translation><numerusform>抢占 %1 的代价：重算 %n 个 token，约占前向传播中的 %2。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Cost of the preemption of %1 in this step: %n token(s) computed again, about %2 of the forward pass.</source>
        <translation><numerusform>抢占 %1 在本步的代价：重算 %n 个 token，约占前向传播中的 %2。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Cost of the preemption of %1: %n token(s) computed again, %2 of them in this step, for about %3 of its forward pass.</source>
        <translation><numerusform>抢占 %1 的代价：重算 %n 个 token，其中 %2 个在本步，约占其前向传播中的 %3。</numerusform></translation>
    </message>
    <message>
        <source>Which of the waiting sequences does step %1 admit?</source>
        <translation>第 %1 步准入哪些等待中的序列？</translation>
    </message>
    <message>
        <source>Which of the running sequences does step %1 preempt?</source>
        <translation>第 %1 步抢占哪些运行中的序列？</translation>
    </message>
    <message>
        <source>Which of the running sequences end in step %1?</source>
        <translation>哪些运行中的序列在第 %1 步结束？</translation>
    </message>
    <message>
        <source>How many free KV blocks does step %1 take?</source>
        <translation>第 %1 步取用多少个空闲 KV 块？</translation>
    </message>
    <message>
        <source>How many tokens does step %1 compute?</source>
        <translation>第 %1 步计算多少个 token？</translation>
    </message>
    <message>
        <source>Which token does %1 get in step %2?</source>
        <translation>%1 在第 %2 步得到哪个 token？</translation>
    </message>
    <message>
        <source>none of them</source>
        <translation>都不是</translation>
    </message>
    <message>
        <source>%1, %2 likely</source>
        <translation>%1，概率 %2</translation>
    </message>
    <message>
        <source>easy</source>
        <translation>简单</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>中等</translation>
    </message>
    <message>
        <source>hard</source>
        <translation>困难</translation>
    </message>
    <message>
        <source>%1 so far: “%2” → “%3”</source>
        <translation>%1 至此：“%2” → “%3”</translation>
    </message>
    <message>
        <source>Free KV blocks: %1, of %2 tokens each.</source>
        <translation>空闲 KV 块：%1 个，每块 %2 个 token。</translation>
    </message>
    <message>
        <source>A step computes at most %1 tokens, and %2 sequences run at most.</source>
        <translation>一步最多计算 %1 个 token，最多运行 %2 个序列。</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>已写</translation>
    </message>
    <message>
        <source>May write</source>
        <translation>可写</translation>
    </message>
    <message>
        <source>Computed</source>
        <translation>已计算</translation>
    </message>
    <message>
        <source>KV blocks</source>
        <translation>KV 块</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Predict, then step</source>
        <translation>先预测，再单步</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>姓名：</translation>
    </message>
    <message>
        <source>Each question is about one step of an engine that serves language models. The table shows the machine as it stands before that step. A right answer is worth a point; the guess of a token is worth the probability that the model gave to it.</source>
        <translation>每道题都关于一个语言模型推理引擎的某一步。表中是该步之前机器的状态。答对得一分；猜 token 的题，得分为模型给该 token 的概率。</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>%1. Before step %2</source>
        <translation>%1. 第 %2 步之前</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Request sent</source>
        <translation>请求已发送</translation>
    </message>
    <message>
        <source>%1 is sent to the server.</source>
        <translation>%1 已发送到服务器。</translation>
    </message>
    <message numerus="yes">
        <source>%1 arrives: %n prompt token(s), at most %2 new</source>
        <translation><numerusform>%1 到达：提示词 %n 个 token，最多新增 %2 个</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>, %n of them given</source>
        <translation><numerusform>，其中 %n 个已给定</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>, %n answer(s)</source>
        <translation><numerusform>，%n 个回答</numerusform></translation>
    </message>
    <message>
        <source>, best of %1</source>
        <translation>，取 %1 个中最好的</translation>
    </message>
    <message>
        <source>, beam width %1</source>
        <translation>，束宽 %1</translation>
    </message>
    <message>
        <source>, priority %1</source>
        <translation>，优先级 %1</translation>
    </message>
    <message>
        <source>, deadline %1</source>
        <translation>，截止时间 %1</translation>
    </message>
    <message>
        <source>Request submitted</source>
        <translation>请求已提交</translation>
    </message>
    <message>
        <source>Request rejected</source>
        <translation>请求被拒绝</translation>
    </message>
    <message>
        <source>Request cancelled</source>
        <translation>请求已取消</translation>
    </message>
    <message>
        <source>%1 is cancelled.</source>
        <translation>%1 已取消。</translation>
    </message>
    <message>
        <source>Sampling changed</source>
        <translation>采样已更改</translation>
    </message>
    <message>
        <source>%1 samples with new settings from its next token on: temperature %2.</source>
        <translation>%1 从下一个 token 起用新设置采样：温度 %2。</translation>
    </message>
    <message>
        <source>%1 finishes after %2: %3</source>
        <translation>%1 在 %2 后完成：%3</translation>
    </message>
    <message>
        <source>, the first after %1</source>
        <translation>，首个在 %1 之后</translation>
    </message>
    <message numerus="yes">
        <source>, preempted %n time(s)</source>
        <translation><numerusform>，被抢占 %n 次</numerusform></translation>
    </message>
    <message>
        <source>It missed its deadline of %1 by %2.</source>
        <translation>它错过了 %1 的截止时间，晚了 %2。</translation>
    </message>
    <message>
        <source>Request finished</source>
        <translation>请求已完成</translation>
    </message>
    <message>
        <source>Request forgotten</source>
        <translation>请求已遗忘</translation>
    </message>
    <message>
        <source>The engine frees all that it kept of %1, which has finished.</source>
        <translation>引擎释放为 %1 保存的一切，它已完成。</translation>
    </message>
    <message numerus="yes">
        <source>%n generated token(s)</source>
        <translation><numerusform>生成 %n 个 token</numerusform></translation>
    </message>
    <message>
        <source>prefill: %1 of %2 tokens computed</source>
        <translation>预填充：已计算 %1 / %2 个 token</translation>
    </message>
    <message numerus="yes">
        <source>decode: %n token(s) generated</source>
        <translation><numerusform>解码：已生成 %n 个 token</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n token(s), %1</source>
        <translation><numerusform>%n 个 token，%1</numerusform></translation>
    </message>
    <message>
        <source>preempted, waits for the next step</source>
        <translation>被抢占，等待下一步</translation>
    </message>
    <message>
        <source>preempted, waits: %1</source>
        <translation>被抢占，等待：%1</translation>
    </message>
    <message>
        <source>swapped out, waits for the next step</source>
        <translation>已换出，等待下一步</translation>
    </message>
    <message>
        <source>swapped out, waits: %1</source>
        <translation>已换出，等待：%1</translation>
    </message>
    <message>
        <source>waits: %1</source>
        <translation>等待：%1</translation>
    </message>
    <message>
        <source>waits for the next step</source>
        <translation>等待下一步</translation>
    </message>
    <message>
        <source>prefill %1 of %2</source>
        <translation>预填充 %1 / %2</translation>
    </message>
    <message>
        <source>for the next step</source>
        <translation>等下一步</translation>
    </message>
    <message>
        <source>needs %1 / free %2 at Admit</source>
        <translation>准入时需要 %1 / 空闲 %2</translation>
    </message>
    <message>
        <source>1 candidate left: no choice</source>
        <translation>只剩 1 个候选: 别无选择</translation>
    </message>
    <message numerus="yes">
        <source>token = the first of %n at which the sum of probabilities &gt; the drawn number</source>
        <translation><numerusform>token = %n 个中第一个使概率之和 &gt; 抽到的随机数者</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>grammar: %n token(s) kept, the others -&gt; -inf</source>
        <translation><numerusform>语法: 保留 %n 个 token，其余 -&gt; -inf</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>drawn number * q &lt; p -&gt; true %n time(s): accept</source>
        <translation><numerusform>抽到的随机数 * q &lt; p -&gt; true，%n 次: 接受</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>draft token == the model's -&gt; true %n time(s): accept</source>
        <translation><numerusform>草稿 token == 模型的 -&gt; true，%n 次: 接受</numerusform></translation>
    </message>
    <message>
        <source>%1 computed &gt; %2 before the newest token -&gt; true: discard %3</source>
        <translation>已计算 %1 &gt; 最新 token 之前的 %2 -&gt; true: 丢弃 %3</translation>
    </message>
    <message>
        <source>sort %1 by sum of logprobs: the first %2 that are not complete go on</source>
        <translation>%1 按对数概率之和排序: 未完成者中的前 %2 个继续</translation>
    </message>
    <message numerus="yes">
        <source>%n continuation(s)</source>
        <translation><numerusform>%n 个续写</numerusform></translation>
    </message>
    <message>
        <source>a beam -&gt; no draft</source>
        <translation>是束 -&gt; 不起草</translation>
    </message>
    <message>
        <source>%1 left of the answer &lt; %2 -&gt; true: no draft</source>
        <translation>回答还可写 %1 &lt; %2 -&gt; true: 不起草</translation>
    </message>
    <message>
        <source>%1 left of the context &lt; %2 -&gt; true: no draft</source>
        <translation>上下文还剩 %1 &lt; %2 -&gt; true: 不起草</translation>
    </message>
    <message>
        <source>1 step in %1 is plain -&gt; true: no draft</source>
        <translation>每 %1 步有 1 步为普通步 -&gt; true: 不起草</translation>
    </message>
    <message>
        <source>the length with the most tokens for its time == 0 -&gt; no draft</source>
        <translation>单位时间 token 最多的长度 == 0 -&gt; 不起草</translation>
    </message>
    <message>
        <source>the last token occurs before -&gt; false: no draft</source>
        <translation>最后一个 token 此前出现过 -&gt; false: 不起草</translation>
    </message>
    <message>
        <source>%1 positions &lt;= a context of %2 -&gt; false: no draft</source>
        <translation>%1 个位置 &lt;= 上下文 %2 -&gt; false: 不起草</translation>
    </message>
    <message>
        <source>%1 &lt;= %2 free -&gt; false: no draft</source>
        <translation>%1 &lt;= 空闲 %2 -&gt; false: 不起草</translation>
    </message>
    <message>
        <source>%1 &lt;= %2 left of the budget -&gt; false: no draft</source>
        <translation>%1 &lt;= 预算剩余 %2 -&gt; false: 不起草</translation>
    </message>
    <message>
        <source>draft token %1 == the model's -&gt; false: reject</source>
        <translation>草稿 token %1 == 模型的 -&gt; false: 拒绝</translation>
    </message>
    <message>
        <source>draft token %1 == the model's %2 -&gt; false: reject</source>
        <translation>草稿 token %1 == 模型的 %2 -&gt; false: 拒绝</translation>
    </message>
    <message>
        <source>%1 * %2 &lt; %3 -&gt; false: reject token %4</source>
        <translation>%1 * %2 &lt; %3 -&gt; false: 拒绝 token %4</translation>
    </message>
    <message>
        <source>acceptance</source>
        <translation>接受率</translation>
    </message>
    <message>
        <source>acceptance|accepted|accepts</source>
        <translation>接受率|接受|acceptance</translation>
    </message>
    <message>
        <source>The share of a draft's tokens that the model would have chosen itself, so that they stay.</source>
        <translation>草稿 token 中模型自己也会选中、因而得以保留的比例。</translation>
    </message>
    <message>
        <source>beam</source>
        <translation>束</translation>
    </message>
    <message>
        <source>beam|beams</source>
        <translation>束宽|个束|各束|其他束|最佳束|beam|beams</translation>
    </message>
    <message>
        <source>One of the unfinished answers that a search keeps, the best ones so far.</source>
        <translation>搜索所保留的未完成回答之一，都是目前最好的。</translation>
    </message>
    <message>
        <source>beam search</source>
        <translation>束搜索</translation>
    </message>
    <message>
        <source>A search for the most likely answer: in each step it keeps the best continuations of all its beams, and drops the others.</source>
        <translation>寻找最可能的回答的搜索：每一步保留所有束的最佳续写，丢弃其余。</translation>
    </message>
    <message>
        <source>best-of</source>
        <translation>best-of</translation>
    </message>
    <message>
        <source>A request writes more answers than it returns, and the ones with the best scores are returned.</source>
        <translation>请求写出的回答多于返回的回答，只返回得分最高的那些。</translation>
    </message>
    <message>
        <source>break-even</source>
        <translation>盈亏平衡点</translation>
    </message>
    <message>
        <source>break-even|breaks even|break even</source>
        <translation>盈亏平衡点|盈亏平衡|break-even</translation>
    </message>
    <message>
        <source>The acceptance at which drafting costs as much time as it saves.</source>
        <translation>使起草所花时间恰好等于所省时间的接受率。</translation>
    </message>
    <message>
        <source>candidate</source>
        <translation>候选</translation>
    </message>
    <message>
        <source>candidate|candidates</source>
        <translation>候选|candidate|candidates</translation>
    </message>
    <message>
        <source>A token that may still be chosen at a position.</source>
        <translation>在某个位置仍可能被选中的 token。</translation>
    </message>
    <message>
        <source>grammar</source>
        <translation>语法</translation>
    </message>
    <message>
        <source>grammar|grammars</source>
        <translation>语法|grammar|grammars</translation>
    </message>
    <message>
        <source>Rules that say what an answer may be, such as JSON of a certain form: the sampler draws only tokens that they allow.</source>
        <translation>规定回答可以是什么的规则，例如某种形式的 JSON：采样器只抽取它们允许的 token。</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>draft|drafts|drafted|drafter</source>
        <translation>草稿|起草|草稿器|draft|drafter</translation>
    </message>
    <message>
        <source>Tokens that a cheap method proposes, and that one forward pass of the model verifies together.</source>
        <translation>由廉价方法提出、再由模型一次前向传播一并验证的 token。</translation>
    </message>
    <message>
        <source>How uncertain the model is about the next token, in bits: 0 when it is sure.</source>
        <translation>模型对下一个 token 有多不确定，以比特计：完全确定时为 0。</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>Choosing the most likely token always, with no drawn number.</source>
        <translation>总是选最可能的 token，不抽随机数。</translation>
    </message>
    <message>
        <source>hypothesis</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>hypothesis|hypotheses</source>
        <translation>假设|hypothesis|hypotheses</translation>
    </message>
    <message>
        <source>A complete answer that a beam search has found.</source>
        <translation>束搜索找到的一个完整回答。</translation>
    </message>
    <message>
        <source>length penalty</source>
        <translation>长度惩罚</translation>
    </message>
    <message>
        <source>The power of an answer's length by which its score is divided, so that short answers do not always win.</source>
        <translation>得分要除以回答长度的若干次幂，这个指数就是长度惩罚；有了它，短回答不会总是胜出。</translation>
    </message>
    <message>
        <source>log-probability</source>
        <translation>对数概率</translation>
    </message>
    <message>
        <source>logprob|logprobs|log-probability|log-probabilities</source>
        <translation>对数概率|logprob|logprobs</translation>
    </message>
    <message>
        <source>The logarithm of a token's probability; those of an answer add up to the answer's own.</source>
        <translation>一个 token 的概率的对数；回答中各 token 的对数概率相加，就是整个回答的对数概率。</translation>
    </message>
    <message>
        <source>min-p</source>
        <translation>min-p</translation>
    </message>
    <message>
        <source>A stage that removes tokens less likely than a part of the most likely one.</source>
        <translation>去掉概率低于最可能 token 的一定比例的 token 的环节。</translation>
    </message>
    <message>
        <source>n-gram</source>
        <translation>n-gram</translation>
    </message>
    <message>
        <source>n-gram|n-grams</source>
        <translation>n-gram|n-grams</translation>
    </message>
    <message>
        <source>A few tokens in a row: where they come again, what followed them the last time is proposed as a draft.</source>
        <translation>连续的几个 token：它们再次出现时，就把上次跟在后面的内容作为草稿提出。</translation>
    </message>
    <message>
        <source>penalty</source>
        <translation>惩罚</translation>
    </message>
    <message>
        <source>repetition penalty|presence penalty|frequency penalty|penalties</source>
        <translation>重复惩罚|存在惩罚|频率惩罚|惩罚</translation>
    </message>
    <message>
        <source>A stage that makes tokens less likely that the text has already.</source>
        <translation>降低文本中已出现过的 token 的概率的环节。</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>seed|seeds</source>
        <translation>种子|随机种子|seed</translation>
    </message>
    <message>
        <source>The number that the random numbers of a request follow from: the same seed gives the same tokens.</source>
        <translation>决定一个请求的随机数的那个数：种子相同，token 就相同。</translation>
    </message>
    <message>
        <source>sibling</source>
        <translation>同源回答</translation>
    </message>
    <message>
        <source>sibling|siblings</source>
        <translation>同源回答|同源|sibling|siblings</translation>
    </message>
    <message>
        <source>Another answer to the same prompt; siblings share the prompt's blocks.</source>
        <translation>同一提示词的另一个回答；同源回答共享提示词的块。</translation>
    </message>
    <message>
        <source>speculation</source>
        <translation>推测解码</translation>
    </message>
    <message>
        <source>speculation|speculative decoding</source>
        <translation>推测解码|推测|speculative decoding</translation>
    </message>
    <message>
        <source>Drafting tokens cheaply and verifying them together: several tokens a step when the draft is good.</source>
        <translation>廉价地起草 token，再一并验证：草稿好时，一步可得多个 token。</translation>
    </message>
    <message>
        <source>surprise</source>
        <translation>意外度</translation>
    </message>
    <message>
        <source>How unlikely the chosen token was, in bits.</source>
        <translation>被选中的 token 有多不可能，以比特计。</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>What logits are divided by before the draw: above 1 unlikely tokens gain, below 1 they lose, 0 is greedy.</source>
        <translation>抽取之前 logit 所除以的数：大于 1 时不太可能的 token 概率上升，小于 1 时下降，0 即贪心。</translation>
    </message>
    <message>
        <source>top-k</source>
        <translation>top-k</translation>
    </message>
    <message>
        <source>A stage that keeps the k most likely tokens.</source>
        <translation>保留最可能的 k 个 token 的环节。</translation>
    </message>
    <message>
        <source>top-p</source>
        <translation>top-p</translation>
    </message>
    <message>
        <source>A stage that keeps the most likely tokens whose probabilities together reach p.</source>
        <translation>保留概率合计达到 p 的最可能 token 的环节。</translation>
    </message>
    <message>
        <source>typical</source>
        <translation>typical</translation>
    </message>
    <message>
        <source>typical|typical_p</source>
        <translation>typical|typical_p</translation>
    </message>
    <message>
        <source>A stage that keeps the tokens whose surprise is nearest to the entropy.</source>
        <translation>保留意外度最接近熵的 token 的环节。</translation>
    </message>
    <message>
        <source>Sequence waits</source>
        <translation>序列等待</translation>
    </message>
    <message>
        <source>%1 waits behind %2, which cannot be admitted (head-of-line blocking).</source>
        <translation>%1 排在 %2 之后等待，而后者无法准入（队头阻塞）。</translation>
    </message>
    <message>
        <source>Sequence aged</source>
        <translation>序列已老化</translation>
    </message>
    <message numerus="yes">
        <source>%1 has been in the engine for %n step(s), so it counts as due from now on (aging).</source>
        <translation><numerusform>%1 在引擎中已有 %n 步，从现在起视为到期（老化）。</numerusform></translation>
    </message>
    <message>
        <source>First token came</source>
        <translation>首个 token 到来</translation>
    </message>
    <message>
        <source>The first token of %1 comes.</source>
        <translation>%1 的首个 token 到来。</translation>
    </message>
    <message numerus="yes">
        <source>%1 resumes with %n token(s)</source>
        <translation><numerusform>%1 恢复，共 %n 个 token</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 is admitted with %n token(s)</source>
        <translation><numerusform>%1 准入，共 %n 个 token</numerusform></translation>
    </message>
    <message>
        <source> (%1 of the prompt, %2 generated)</source>
        <translation> （提示词 %1 个，已生成 %2 个）</translation>
    </message>
    <message>
        <source>, %1 in shared or cached blocks</source>
        <translation>，%1 个在共享或缓存的块中</translation>
    </message>
    <message>
        <source>, %1 from the prefix cache</source>
        <translation>，%1 个来自前缀缓存</translation>
    </message>
    <message>
        <source>, %1 to swap in</source>
        <translation>，%1 个待换入</translation>
    </message>
    <message>
        <source>Sequence resumed</source>
        <translation>序列已恢复</translation>
    </message>
    <message>
        <source>Sequence admitted</source>
        <translation>序列已准入</translation>
    </message>
    <message>
        <source>, %1 to compute.</source>
        <translation>，%1 个待计算。</translation>
    </message>
    <message>
        <source>%1 decodes position %2</source>
        <translation>%1 解码位置 %2</translation>
    </message>
    <message>
        <source>Decode scheduled</source>
        <translation>解码已安排</translation>
    </message>
    <message numerus="yes">
        <source>%1 and verifies %n draft token(s).</source>
        <translation><numerusform>%1，并验证 %n 个草稿 token。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 prefills %n token(s), %2</source>
        <translation><numerusform>%1 预填充 %n 个 token，%2</numerusform></translation>
    </message>
    <message>
        <source> (all generated before)</source>
        <translation> （全部是先前生成的）</translation>
    </message>
    <message>
        <source> (%1 of the prompt, %2 generated before)</source>
        <translation> （提示词 %1 个，先前生成的 %2 个）</translation>
    </message>
    <message>
        <source>Prefill scheduled</source>
        <translation>预填充已安排</translation>
    </message>
    <message>
        <source>%1; %2 left for later steps.</source>
        <translation>%1；剩余 %2 留给后面的步。</translation>
    </message>
    <message>
        <source>%1, and then can sample its next token.</source>
        <translation>%1，然后即可采样下一个 token。</translation>
    </message>
    <message>
        <source>Sequence preempted</source>
        <translation>序列被抢占</translation>
    </message>
    <message>
        <source>KV discarded</source>
        <translation>KV 被丢弃</translation>
    </message>
    <message>
        <source>Without a KV cache %1 discards what it has computed, %2; the next step computes it again.</source>
        <translation>没有 KV 缓存，%1 丢弃已计算的 %2；下一步再重算。</translation>
    </message>
    <message>
        <source>Sequence forked</source>
        <translation>序列已分叉</translation>
    </message>
    <message>
        <source>%1 forks from %2 and shares its %3.</source>
        <translation>%1 从 %2 分叉，共享其 %3。</translation>
    </message>
    <message>
        <source>Sequence finished</source>
        <translation>序列已完成</translation>
    </message>
    <message>
        <source>%1 finishes after %2: an end token or a stop string ends it.</source>
        <translation>%1 在 %2 之后完成：遇到结束 token 或停止字符串。</translation>
    </message>
    <message>
        <source>%1 finishes after %2, the most that it may generate.</source>
        <translation>%1 在 %2 之后完成，这是它最多可生成的数量。</translation>
    </message>
    <message>
        <source>%1 ends after %2: its request is cancelled.</source>
        <translation>%1 在 %2 之后结束：其请求已取消。</translation>
    </message>
    <message>
        <source>%1 ends after %2: its request has failed.</source>
        <translation>%1 在 %2 之后结束：其请求失败。</translation>
    </message>
    <message>
        <source>%1 ends after %2: it is not among the answers of its search.</source>
        <translation>%1 在 %2 之后结束：它不在其搜索的回答之列。</translation>
    </message>
    <message>
        <source>%1 ends after %2.</source>
        <translation>%1 在 %2 之后结束。</translation>
    </message>
    <message>
        <source>admit</source>
        <translation>准入</translation>
    </message>
    <message>
        <source>admit|admits|admitted|admission</source>
        <translation>准入|admit|admission</translation>
    </message>
    <message>
        <source>A waiting sequence joins the running ones, when there are slots, budget and blocks for all of its tokens.</source>
        <translation>有足够的槽位、预算和块容纳其所有 token 时，一个等待中的序列加入运行中的序列。</translation>
    </message>
    <message>
        <source>aging</source>
        <translation>老化</translation>
    </message>
    <message>
        <source>aging|ages|aged</source>
        <translation>老化|aging</translation>
    </message>
    <message>
        <source>A request that has waited for many steps goes before requests of a higher priority, so that none waits for ever.</source>
        <translation>等待了许多步的请求会排到优先级更高的请求之前，因此没有请求会永远等待。</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>batch|batches</source>
        <translation>批次|batch</translation>
    </message>
    <message>
        <source>The sequences that one forward pass computes together, so that every weight is read once for all of them.</source>
        <translation>一次前向传播共同计算的若干序列，这样每个权重只需为它们读取一次。</translation>
    </message>
    <message>
        <source>batching window</source>
        <translation>批处理窗口</translation>
    </message>
    <message>
        <source>The time for which an idle machine collects requests before it begins a batch.</source>
        <translation>空闲的机器在开始一个批次之前收集请求的时间。</translation>
    </message>
    <message>
        <source>chunked prefill</source>
        <translation>分块预填充</translation>
    </message>
    <message>
        <source>chunked prefill|chunk|chunks</source>
        <translation>分块预填充|分块|chunked prefill|chunk</translation>
    </message>
    <message>
        <source>A long prompt is computed in pieces over several steps, so that sequences that decode need not wait for it.</source>
        <translation>把长提示词分成几段，在几步中计算，使正在解码的序列不必等它。</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>context|contexts</source>
        <translation>上下文|context</translation>
    </message>
    <message>
        <source>The tokens that a sequence can see: its prompt, and what it has written.</source>
        <translation>一个序列能看到的 token：它的提示词，以及它已写出的内容。</translation>
    </message>
    <message>
        <source>continuous batching</source>
        <translation>连续批处理</translation>
    </message>
    <message>
        <source>Sequences join and leave the batch at every step, and none waits for the end of the others.</source>
        <translation>每一步都可以有序列加入或离开批次，谁也不必等其他序列结束。</translation>
    </message>
    <message>
        <source>deadline</source>
        <translation>截止时间</translation>
    </message>
    <message>
        <source>deadline|deadlines</source>
        <translation>截止时间|deadline</translation>
    </message>
    <message>
        <source>The time by which a request should be answered; a policy may put the nearest one first.</source>
        <translation>请求应得到回答的期限；策略可以让最近到期的优先。</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>decode|decodes|decoding</source>
        <translation>解码|decode</translation>
    </message>
    <message>
        <source>Computing one new token of an answer in a step; it reads every weight for little arithmetic.</source>
        <translation>在一步中计算回答的一个新 token；要读取全部权重，运算却很少。</translation>
    </message>
    <message>
        <source>head-of-line blocking</source>
        <translation>队头阻塞</translation>
    </message>
    <message>
        <source>The first request of a queue cannot begin, and so none behind it does, although they might.</source>
        <translation>队列中第一个请求无法开始，后面的请求即使本可以开始，也都不能开始。</translation>
    </message>
    <message>
        <source>ITL</source>
        <translation>ITL</translation>
    </message>
    <message>
        <source>itl|inter-token latency</source>
        <translation>itl|token 间隔|inter-token latency</translation>
    </message>
    <message>
        <source>Time from one token of an answer to the next.</source>
        <translation>一个回答中从一个 token 到下一个 token 的时间。</translation>
    </message>
    <message>
        <source>policy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>policy|policies</source>
        <translation>策略|policy</translation>
    </message>
    <message>
        <source>The rule by which the scheduler orders requests: by arrival, priority, deadline or length.</source>
        <translation>调度器给请求排序的规则：按到达、优先级、截止时间或长度。</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>prefill|prefills</source>
        <translation>预填充|prefill</translation>
    </message>
    <message>
        <source>Computing the tokens of a prompt, many at once; it does much arithmetic for every weight that it reads.</source>
        <translation>计算提示词的 token，一次许多个；每读取一个权重都做大量运算。</translation>
    </message>
    <message>
        <source>priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>priority|priorities</source>
        <translation>优先级|priority</translation>
    </message>
    <message>
        <source>The importance of a request under the priority policy: the highest goes first.</source>
        <translation>在优先级策略下请求的重要程度：最高的优先。</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>prompt|prompts</source>
        <translation>提示词|prompt|prompts</translation>
    </message>
    <message>
        <source>The text that a request begins with; its tokens are computed in prefill.</source>
        <translation>请求开头的文本；它的 token 在预填充中计算。</translation>
    </message>
    <message>
        <source>queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>queue|queues</source>
        <translation>队列|queue</translation>
    </message>
    <message>
        <source>The requests that are not admitted yet, in the order of the policy.</source>
        <translation>尚未准入的请求，按策略的顺序排列。</translation>
    </message>
    <message>
        <source>rank|ranks</source>
        <translation>位次|rank</translation>
    </message>
    <message>
        <source>The number by which a policy orders requests: the smallest goes first.</source>
        <translation>策略用来给请求排序的数：最小的优先。</translation>
    </message>
    <message>
        <source>request|requests</source>
        <translation>请求|request|requests</translation>
    </message>
    <message>
        <source>A prompt and its options, which gets one answer or several.</source>
        <translation>一个提示词及其选项，得到一个或多个回答。</translation>
    </message>
    <message>
        <source>sequence</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>sequence|sequences</source>
        <translation>序列|sequence|sequences</translation>
    </message>
    <message>
        <source>One answer of a request while it is computed: its tokens and its blocks.</source>
        <translation>一个请求的某个回答在计算过程中的形态：它的 token 和它的块。</translation>
    </message>
    <message>
        <source>slot</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>slot|slots</source>
        <translation>槽位|slot|slots</translation>
    </message>
    <message>
        <source>The place in the KV memory for one token's keys and values; also a place for a sequence that may run.</source>
        <translation>KV 内存中存放一个 token 的键和值的位置；也指可供一个序列运行的名额。</translation>
    </message>
    <message>
        <source>static batching</source>
        <translation>静态批处理</translation>
    </message>
    <message>
        <source>A batch is closed when it starts, and the next one begins when its last sequence has ended.</source>
        <translation>批次一开始就关闭，等其中最后一个序列结束，才开始下一个批次。</translation>
    </message>
    <message>
        <source>step|steps</source>
        <translation>本步|每步|一步|下一步|各步|step|steps</translation>
    </message>
    <message>
        <source>One iteration of the scheduler: it admits, plans, allocates, computes one forward pass, samples and commits.</source>
        <translation>调度器的一次迭代：准入、规划、分配、计算一次前向传播、采样、提交。</translation>
    </message>
    <message>
        <source>throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>throughput|tok/s|tokens per second|tokens a second</source>
        <translation>吞吐量|tok/s|token/s|每秒 token 数</translation>
    </message>
    <message>
        <source>Tokens of all sequences together that come out in a second.</source>
        <translation>所有序列合计每秒产出的 token 数。</translation>
    </message>
    <message>
        <source>token budget</source>
        <translation>token 预算</translation>
    </message>
    <message>
        <source>token budget|budget</source>
        <translation>token 预算|预算|token budget</translation>
    </message>
    <message>
        <source>The most tokens that one step computes, of prompts and answers together.</source>
        <translation>一步最多计算的 token 数，提示词与回答合计。</translation>
    </message>
    <message>
        <source>TTFT</source>
        <translation>TTFT</translation>
    </message>
    <message>
        <source>ttft|time to first token</source>
        <translation>ttft|首个 token 延迟|time to first token</translation>
    </message>
    <message>
        <source>The time from a request's submission to its first token, the queue included.</source>
        <translation>从请求提交到首个 token 的时间，含排队。</translation>
    </message>
    <message>
        <source>request %1</source>
        <translation>请求 %1</translation>
    </message>
    <message>
        <source>A request is rejected: %1</source>
        <translation>一个请求被拒绝：%1</translation>
    </message>
    <message>
        <source>“%1” is rejected: %2</source>
        <translation>“%1”被拒绝：%2</translation>
    </message>
    <message>
        <source>sequence %1</source>
        <translation>序列 %1</translation>
    </message>
    <message>
        <source>token %1 “%2”</source>
        <translation>token %1 “%2”</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation><numerusform>%n 个块</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation><numerusform>%n 个 token</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n sequence(s)</source>
        <translation><numerusform>%n 个序列</numerusform></translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>position %1</source>
        <translation>位置 %1</translation>
    </message>
    <message>
        <source>positions %1 to %2</source>
        <translation>位置 %1 到 %2</translation>
    </message>
    <message>
        <source>%1. Hint: %2.</source>
        <translation>%1。提示：%2。</translation>
    </message>
    <message>
        <source>Draft proposed</source>
        <translation>已提出草稿</translation>
    </message>
    <message numerus="yes">
        <source>The drafter proposes %n token(s) for %1, from position %2 on.</source>
        <translation><numerusform>草稿器为 %1 提出 %n 个 token，从位置 %2 起。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>The drafter proposes %n token(s) for %1, from position %2 on: %3.</source>
        <translation><numerusform>草稿器为 %1 提出 %n 个 token，从位置 %2 起：%3。</numerusform></translation>
    </message>
    <message>
        <source>No draft</source>
        <translation>无草稿</translation>
    </message>
    <message>
        <source>%1 drafts nothing: %2.</source>
        <translation>%1 不起草：%2。</translation>
    </message>
    <message numerus="yes">
        <source>%1 accepts %2 of %n draft token(s).</source>
        <translation><numerusform>%1 接受 %n 个草稿 token 中的 %2 个。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>The answer ends before the other %n draft token(s).</source>
        <translation><numerusform>回答在其余 %n 个草稿 token 之前就已结束。</numerusform></translation>
    </message>
    <message>
        <source>Draft verified</source>
        <translation>草稿已验证</translation>
    </message>
    <message>
        <source>Draft rolled back</source>
        <translation>草稿已回滚</translation>
    </message>
    <message numerus="yes">
        <source>%1 discards the KV of %n draft token(s) that its answer does not keep.</source>
        <translation><numerusform>%1 丢弃 %n 个未被回答保留的草稿 token 的 KV。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 discards the KV of %n draft token(s) that its answer does not keep, and frees %2.</source>
        <translation><numerusform>%1 丢弃 %n 个未被回答保留的草稿 token 的 KV，并释放 %2。</numerusform></translation>
    </message>
    <message>
        <source>Step speculated</source>
        <translation>本步的推测解码</translation>
    </message>
    <message>
        <source>This step drafts no token: its forward pass took %1, to compare others with.</source>
        <translation>本步不起草：其前向传播用了 %1，供其他步对比。</translation>
    </message>
    <message>
        <source>Drafting took %1 and verifying %2: %3 of %4 accepted, %5 for %6 in all.</source>
        <translation>起草用了 %1，验证用了 %2：%4 中接受 %3 个，%6共得 %5。</translation>
    </message>
    <message numerus="yes">
        <source>%n draft token(s)</source>
        <translation><numerusform>%n 个草稿 token</numerusform></translation>
    </message>
    <message>
        <source>the beams of a search go on without drafts</source>
        <translation>搜索的束不带草稿继续</translation>
    </message>
    <message>
        <source>a draft needs %1 of the answer, which may have %2 more</source>
        <translation>草稿需要回答中有 %1，而它只能再写 %2 个</translation>
    </message>
    <message>
        <source>a draft needs %1 of the context, which has room for %2 more</source>
        <translation>草稿需要上下文中有 %1，而那里只能再容纳 %2 个</translation>
    </message>
    <message>
        <source>one step in %1 has no draft, to compare the others with it</source>
        <translation>每 %1 步有一步不用草稿，供其他步对比</translation>
    </message>
    <message>
        <source>by the measured costs and acceptance no draft saves time</source>
        <translation>按测得的代价和接受率，草稿省不了时间</translation>
    </message>
    <message>
        <source>its last token stands nowhere before in its text</source>
        <translation>它的最后一个 token 在其文本中此前从未出现</translation>
    </message>
    <message>
        <source>it has %1, and the draft model's context %2</source>
        <translation>它有 %1，而草稿模型的上下文为 %2</translation>
    </message>
    <message>
        <source>it needs %1 of the draft model's KV cache, free %2 at %3</source>
        <translation>它需要草稿模型 KV 缓存的 %1，%3阶段空闲 %2 个</translation>
    </message>
    <message>
        <source>it needs %1, free %2 at %3</source>
        <translation>它需要 %1，%3阶段空闲 %2 个</translation>
    </message>
    <message>
        <source>it needs %1, %2 left in this step's budget</source>
        <translation>它需要 %1，本步预算剩余 %2</translation>
    </message>
    <message>
        <source>The model chooses another token than %1.</source>
        <translation>模型选择了 %1 以外的 token。</translation>
    </message>
    <message>
        <source>The model chooses token %1 where the draft has token %2.</source>
        <translation>模型选择 token %1，而草稿是 token %2。</translation>
    </message>
    <message>
        <source>With %1 drawn the model has token %2, the draft token %3 (%4 by the model, %5 by the drafter).</source>
        <translation>抽到 %1 时，模型得到 token %2，草稿是 token %3（模型给 %4，草稿器给 %5）。</translation>
    </message>
    <message>
        <source>Token %1 is rejected. The drawn number %2 is not below p / q (%3 by the model, %4 by the drafter).</source>
        <translation>token %1 被拒绝。抽到的随机数 %2 不小于 p / q（模型给 %3，草稿器给 %4）。</translation>
    </message>
    <message>
        <source>Token %1 replaces token %2. The drawn number %3 is not below p / q (%4 by the model, %5 by the drafter).</source>
        <translation>token %1 取代 token %2。抽到的随机数 %3 不小于 p / q（模型给 %4，草稿器给 %5）。</translation>
    </message>
    <message>
        <source>Step started</source>
        <translation>步已开始</translation>
    </message>
    <message>
        <source>%1 waiting, %2 running.</source>
        <translation>%1等待中，%2 个运行中。</translation>
    </message>
    <message>
        <source>Step planned</source>
        <translation>步已规划</translation>
    </message>
    <message>
        <source>Plan: there is nothing to compute in this step.</source>
        <translation>规划：本步没有要计算的内容。</translation>
    </message>
    <message>
        <source>Plan for %1: %2 of prefill + %3 of decode = %4, more than the budget of %5. Without chunked prefill a sequence is prefilled at once, here in a step of its own.</source>
        <translation>为 %1规划：预填充 %2 + 解码 %3 个 = %4 个，超过预算 %5。没有分块预填充时，一个序列要一次预填充完，这里独占一步。</translation>
    </message>
    <message>
        <source>Plan for %1: %2 of prefill + %3 of decode = %4 of the budget of %5.</source>
        <translation>为 %1规划：预填充 %2 + 解码 %3 个 = %4 个，预算为 %5。</translation>
    </message>
    <message>
        <source>Phase started</source>
        <translation>阶段已开始</translation>
    </message>
    <message>
        <source>The phase %1 begins.</source>
        <translation>%1阶段开始。</translation>
    </message>
    <message>
        <source>Step finished</source>
        <translation>步已完成</translation>
    </message>
    <message>
        <source>The step took %1: %2 computed, %3 sampled; %4 free now, %5 of them still in the prefix index.</source>
        <translation>本步用了 %1：计算 %2，采样 %3 个；现在空闲 %4，其中 %5 个仍在前缀索引中。</translation>
    </message>
    <message>
        <source>Token came</source>
        <translation>token 到来</translation>
    </message>
    <message>
        <source>Token sampled</source>
        <translation>token 已采样</translation>
    </message>
    <message>
        <source>%1 samples token %2 at position %3 with probability %4.</source>
        <translation>%1 在位置 %3 采样 token %2，概率 %4。</translation>
    </message>
    <message>
        <source>%1 samples “%2” (token %3) at position %4 with probability %5.</source>
        <translation>%1 在位置 %4 采样“%2”（token %3），概率 %5。</translation>
    </message>
    <message>
        <source>%1 gets “%2” at position %3.</source>
        <translation>%1 在位置 %3 得到“%2”。</translation>
    </message>
    <message>
        <source>%1 gets “%2” at position %3, which had probability %4.</source>
        <translation>%1 在位置 %3 得到“%2”，其概率为 %4。</translation>
    </message>
    <message>
        <source>Grammar</source>
        <translation>语法</translation>
    </message>
    <message>
        <source>The answer of %1 is whole by its grammar.</source>
        <translation>%1 的回答按其语法已完整。</translation>
    </message>
    <message numerus="yes">
        <source>%1 is in the rule %2 of its grammar, where %n token(s) may come: %3.</source>
        <translation><numerusform>%1 处于其语法的规则 %2 中，可以接 %n 个 token：%3。</numerusform></translation>
    </message>
    <message>
        <source>The answer may end here.</source>
        <translation>回答可以在此结束。</translation>
    </message>
    <message numerus="yes">
        <source>%n stage(s)</source>
        <translation><numerusform>%n 个环节</numerusform></translation>
    </message>
    <message>
        <source>Candidates</source>
        <translation>候选</translation>
    </message>
    <message numerus="yes">
        <source>%1 has %n candidate(s) for position %2, after %3.</source>
        <translation><numerusform>%1 在位置 %2 经过 %3后有 %n 个候选。</numerusform></translation>
    </message>
    <message>
        <source>Layer norm</source>
        <translation>层范数</translation>
    </message>
    <message>
        <source>The hidden state of %1 at position %2 has the norm %4 after layer %3.</source>
        <translation>%1 在位置 %2 的隐藏状态在第 %3 层之后的范数为 %4。</translation>
    </message>
    <message>
        <source>Forward measured</source>
        <translation>前向已测量</translation>
    </message>
    <message>
        <source>The forward took %1.</source>
        <translation>前向用了 %1。</translation>
    </message>
    <message>
        <source>The forward took %1: %2.</source>
        <translation>前向用了 %1：%2。</translation>
    </message>
    <message>
        <source>Batch padded</source>
        <translation>批次已填充</translation>
    </message>
    <message numerus="yes">
        <source>%1 with %n row(s) of padding: the GPU knows steps of some sizes only.</source>
        <translation><numerusform>%1，含 %n 行填充：GPU 只接受若干固定大小的步。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n row(s)</source>
        <translation><numerusform>%n 行</numerusform></translation>
    </message>
    <message>
        <source>Forward begun early</source>
        <translation>前向提前开始</translation>
    </message>
    <message>
        <source>The GPU computed %1 in vain: it had begun another step than this one.</source>
        <translation>GPU 白算了 %1：它提前开始的并不是这一步。</translation>
    </message>
    <message>
        <source>The GPU computed %1 of this forward pass early, in the step before.</source>
        <translation>GPU 在上一步中就提前计算了本次前向传播的 %1。</translation>
    </message>
    <message numerus="yes">
        <source>The GPU computed %1 of this forward pass early, %n of them in vain, for sequences that have ended.</source>
        <translation><numerusform>GPU 提前计算了本次前向传播的 %1，其中 %n 行白算，因为它们所属的序列已结束。</numerusform></translation>
    </message>
    <message>
        <source>Launches measured</source>
        <translation>启动已测量</translation>
    </message>
    <message>
        <source>The time of all layers: %1.</source>
        <translation>所有层的时间：%1。</translation>
    </message>
    <message>
        <source>kernels one by one</source>
        <translation>逐个内核</translation>
    </message>
    <message>
        <source>one graph</source>
        <translation>一个图</translation>
    </message>
    <message>
        <source>one kernel</source>
        <translation>一个内核</translation>
    </message>
    <message>
        <source>%1 still waits, since step %2: %3.</source>
        <translation>%1 仍在等待，自第 %2 步起：%3。</translation>
    </message>
    <message>
        <source>These still wait behind %1 (head-of-line blocking): %2.</source>
        <translation>仍排在 %1 之后等待的（队头阻塞）：%2。</translation>
    </message>
    <message>
        <source>Block swapped out</source>
        <translation>块已换出</translation>
    </message>
    <message>
        <source>%1 swaps out block %2 (%3) to %4.</source>
        <translation>%1 把块 %2（%3）换出到%4。</translation>
    </message>
    <message>
        <source>Block swapped in</source>
        <translation>块已换入</translation>
    </message>
    <message>
        <source>%1 swaps in block %2 (%3) from %4.</source>
        <translation>%1 从%4换入块 %2（%3）。</translation>
    </message>
    <message>
        <source>Swapped block moved to the file</source>
        <translation>已换出的块移到文件</translation>
    </message>
    <message>
        <source>A swapped block of %1, the one with index %2, moves from %3 to %4.</source>
        <translation>%1 的一个已换出的块（索引 %2）从%3移到%4。</translation>
    </message>
    <message>
        <source>Swapping failed</source>
        <translation>交换失败</translation>
    </message>
    <message>
        <source>Swapping in %1 failed: %2</source>
        <translation>换入 %1 失败：%2</translation>
    </message>
    <message>
        <source>Swapping out %1 failed: %2</source>
        <translation>换出 %1 失败：%2</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) must be computed again.</source>
        <translation><numerusform>%n 个 token 必须重算。</numerusform></translation>
    </message>
    <message>
        <source>It leaves the plan of this step.</source>
        <translation>它退出本步的规划。</translation>
    </message>
    <message>
        <source>Step swapped</source>
        <translation>本步的交换</translation>
    </message>
    <message>
        <source>Swapping took the engine %1: %2 out (%3), %4 on to the file (%5), %6 in (%7).</source>
        <translation>引擎交换用了 %1：换出 %2（%3），移往文件 %4 个（%5），换入 %6 个（%7）。</translation>
    </message>
    <message>
        <source>Memory holds %1 now, the file %2.</source>
        <translation>内存中现有 %1，文件中 %2 个。</translation>
    </message>
    <message>
        <source>memory slot %1</source>
        <translation>内存槽位 %1</translation>
    </message>
    <message>
        <source>file slot %1</source>
        <translation>文件槽位 %1</translation>
    </message>
    <message>
        <source>Of its blocks the prefix index keeps %1.</source>
        <translation>它的块中，前缀索引保留 %1。</translation>
    </message>
    <message numerus="yes">
        <source>The first beam of its search has computed the %n token(s) that they share.</source>
        <translation><numerusform>其搜索的第一个束已算完它们共享的 %n 个 token。</numerusform></translation>
    </message>
    <message>
        <source>One forward pass computes %1 of %2 in %3.</source>
        <translation>一次前向传播计算 %2的 %1，用时 %3。</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>&lt; %1 %</source>
        <translation>&lt; %1%</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message numerus="yes">
        <source>%n byte(s)</source>
        <translation><numerusform>%n 字节</numerusform></translation>
    </message>
    <message>
        <source>%1 KiB</source>
        <translation>%1 KiB</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <translation>%1 GiB</translation>
    </message>
    <message>
        <source>%1 TiB</source>
        <translation>%1 TiB</translation>
    </message>
    <message>
        <source>config.json of %1 says that its head is the embedding, but its files hold another head (lm_head.weight). The head of the files is used.</source>
        <translation>%1 的 config.json 说其输出头就是嵌入，但文件中有另一个输出头（lm_head.weight）。采用文件中的输出头。</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 以及另外 %2 个</translation>
    </message>
    <message>
        <source>The decoder of %1 does not use %2 of its files: %3.</source>
        <translation>%1 的解码器不使用其文件中的 %2：%3。</translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s)</source>
        <translation><numerusform>%n 个张量</numerusform></translation>
    </message>
    <message>
        <source>%1 Among them is a head that drafts tokens (multi-token prediction), which is not computed.</source>
        <translation>%1 其中有一个用来起草 token 的头（多 token 预测），它不参与计算。</translation>
    </message>
    <message>
        <source>Admit</source>
        <translation>准入</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>规划</translation>
    </message>
    <message>
        <source>Allocate</source>
        <translation>分配</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Commit</source>
        <translation>提交</translation>
    </message>
    <message>
        <source>embed</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>norms</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>store KV</source>
        <translation>存储 KV</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>gate</source>
        <translation>gate</translation>
    </message>
    <message>
        <source>down</source>
        <translation>down</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>second-level cache</source>
        <translation>二级缓存</translation>
    </message>
    <message>
        <source>third-level cache</source>
        <translation>三级缓存</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>float32 multiply-adds</source>
        <translation>float32 乘加</translation>
    </message>
    <message>
        <source>float32 products of matrices</source>
        <translation>float32 矩阵乘积</translation>
    </message>
    <message>
        <source>bfloat16 products of matrices</source>
        <translation>bfloat16 矩阵乘积</translation>
    </message>
    <message>
        <source>float16 products of matrices</source>
        <translation>float16 矩阵乘积</translation>
    </message>
    <message>
        <source>bfloat16 multiply-adds</source>
        <translation>bfloat16 乘加</translation>
    </message>
    <message>
        <source>int8 multiply-adds</source>
        <translation>int8 乘加</translation>
    </message>
    <message>
        <source>float32</source>
        <translation>float32</translation>
    </message>
    <message>
        <source>bfloat16</source>
        <translation>bfloat16</translation>
    </message>
    <message>
        <source>int8</source>
        <translation>int8</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n thread(s)</source>
        <translation><numerusform>%1，%n 个线程</numerusform></translation>
    </message>
    <message>
        <source>%1 GB/s at %2 (%3)</source>
        <translation>%1 GB/s，数据量 %2（%3）</translation>
    </message>
    <message>
        <source>stop token or string</source>
        <translation>停止 token 或停止字符串</translation>
    </message>
    <message>
        <source>length limit</source>
        <translation>长度上限</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message numerus="yes">
        <source>needs %n block(s), free %1 at %2</source>
        <translation><numerusform>需要 %n 个块，%2阶段空闲 %1 个</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>needs %n slot(s), free %1 at %2</source>
        <translation><numerusform>需要 %n 个槽位，%2阶段空闲 %1 个</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>needs %n token(s), %1 left in this step's budget</source>
        <translation><numerusform>需要 %n 个 token，本步预算剩余 %1</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>a step that preempts admits no sequence (running sequences need %n block(s), free %1 at %2)</source>
        <translation><numerusform>发生抢占的步不准入任何序列（运行中的序列需要 %n 个块，%2阶段空闲 %1 个）</numerusform></translation>
    </message>
    <message>
        <source>a request in front of it cannot be admitted (head-of-line blocking)</source>
        <translation>它前面的一个请求无法准入（队头阻塞）</translation>
    </message>
    <message>
        <source>the batch is closed until its preempted sequences have ended</source>
        <translation>批次已关闭，要等其中被抢占的序列结束</translation>
    </message>
    <message numerus="yes">
        <source>the batch is closed; %n running sequence(s) must end first</source>
        <translation><numerusform>批次已关闭；%n 个运行中的序列必须先结束</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>the first beam has computed %1 of %n shared token(s)</source>
        <translation><numerusform>第一个束已计算 %n 个共享 token 中的 %1 个</numerusform></translation>
    </message>
    <message>
        <source>%1 of %2 ms of the batching window have passed</source>
        <translation>批处理窗口的 %2 ms 已过 %1 ms</translation>
    </message>
    <message>
        <source>Ablation</source>
        <translation>消融</translation>
    </message>
    <message>
        <source>What each mechanism is worth: the same requests with all of them, and with each one removed in turn.</source>
        <translation>每种机制的收益：同样的请求，先用上全部机制，再逐一去掉。</translation>
    </message>
    <message>
        <source>By mechanism</source>
        <translation>按机制</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>token/s</translation>
    </message>
    <message>
        <source>it is worth</source>
        <translation>收益</translation>
    </message>
    <message>
        <source>tokens/s, worth</source>
        <translation>token/s，收益</translation>
    </message>
    <message>
        <source>TTFT ms</source>
        <translation>TTFT ms</translation>
    </message>
    <message>
        <source>TTFT, ms</source>
        <translation>TTFT，ms</translation>
    </message>
    <message>
        <source>without</source>
        <translation>去掉后</translation>
    </message>
    <message>
        <source>TTFT without, times</source>
        <translation>去掉后的 TTFT，倍数</translation>
    </message>
    <message>
        <source>ITL p99 ms</source>
        <translation>ITL p99 ms</translation>
    </message>
    <message>
        <source>ITL p99, ms</source>
        <translation>ITL p99，ms</translation>
    </message>
    <message>
        <source>ITL p99 without, times</source>
        <translation>去掉后的 ITL p99，倍数</translation>
    </message>
    <message>
        <source>same answers</source>
        <translation>回答相同</translation>
    </message>
    <message>
        <source>What each mechanism is worth</source>
        <translation>每种机制的收益</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>去掉的机制</translation>
    </message>
    <message>
        <source>times faster with it</source>
        <translation>有它时快多少倍</translation>
    </message>
    <message>
        <source>tokens a second</source>
        <translation>每秒 token 数</translation>
    </message>
    <message>
        <source>what it is worth</source>
        <translation>收益</translation>
    </message>
    <message>
        <source>time to the first token</source>
        <translation>首个 token 延迟</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>ITL p99</source>
        <translation>ITL p99</translation>
    </message>
    <message>
        <source>without %1</source>
        <translation>去掉 %1</translation>
    </message>
    <message>
        <source>(nothing)</source>
        <translation>（无）</translation>
    </message>
    <message>
        <source>GPU MiB</source>
        <translation>GPU MiB</translation>
    </message>
    <message>
        <source>peak memory of the GPU, MiB</source>
        <translation>GPU 内存峰值，MiB</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>延迟</translation>
    </message>
    <message>
        <source>How long an answer takes: to its first token (TTFT), between two tokens (ITL), and to its end.</source>
        <translation>一个回答要多久：到首个 token（TTFT）、两个 token 之间（ITL）、到结束。</translation>
    </message>
    <message>
        <source>requests at once</source>
        <translation>并发请求数</translation>
    </message>
    <message>
        <source>prefill tok/s</source>
        <translation>预填充 tok/s</translation>
    </message>
    <message>
        <source>prefill, tokens/s</source>
        <translation>预填充，token/s</translation>
    </message>
    <message>
        <source>decode tok/s</source>
        <translation>解码 tok/s</translation>
    </message>
    <message>
        <source>decode, tokens/s</source>
        <translation>解码，token/s</translation>
    </message>
    <message>
        <source>ITL p50</source>
        <translation>ITL p50</translation>
    </message>
    <message>
        <source>ITL p50, ms</source>
        <translation>ITL p50，ms</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>ITL p95, ms</source>
        <translation>ITL p95，ms</translation>
    </message>
    <message>
        <source>p99</source>
        <translation>p99</translation>
    </message>
    <message>
        <source>end to end ms</source>
        <translation>端到端 ms</translation>
    </message>
    <message>
        <source>end to end, ms</source>
        <translation>端到端，ms</translation>
    </message>
    <message>
        <source>peak MiB</source>
        <translation>峰值 MiB</translation>
    </message>
    <message>
        <source>peak memory, MiB</source>
        <translation>内存峰值，MiB</translation>
    </message>
    <message>
        <source>warm TTFT ms</source>
        <translation>热 TTFT ms</translation>
    </message>
    <message>
        <source>warm TTFT, ms</source>
        <translation>热 TTFT，ms</translation>
    </message>
    <message>
        <source>speed-up</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>warm TTFT, speed-up</source>
        <translation>热 TTFT，加速比</translation>
    </message>
    <message>
        <source>By requests at once</source>
        <translation>按并发请求数</translation>
    </message>
    <message>
        <source>Latency of %1</source>
        <translation>%1 的延迟</translation>
    </message>
    <message>
        <source>TTFT and ITL</source>
        <translation>TTFT 和 ITL</translation>
    </message>
    <message>
        <source>ITL, percentiles</source>
        <translation>ITL，百分位数</translation>
    </message>
    <message>
        <source>end to end</source>
        <translation>端到端</translation>
    </message>
    <message>
        <source>the same prompt again</source>
        <translation>再次使用同一提示词</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>What takes the memory: weights, KV cache, and the whole process phase by phase.</source>
        <translation>什么占用内存：权重、KV 缓存，以及整个进程在各阶段的占用。</translation>
    </message>
    <message>
        <source>This system does not reset peaks: each is the peak since the start.</source>
        <translation>这个系统不会重置峰值：每个峰值都从启动时算起。</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>组成</translation>
    </message>
    <message>
        <source>part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <source>parts</source>
        <translation>组成</translation>
    </message>
    <message>
        <source>Memory of %1</source>
        <translation>%1 的内存</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV pool</source>
        <translation>KV 池</translation>
    </message>
    <message>
        <source>KV in use, at most</source>
        <translation>KV 在用峰值</translation>
    </message>
    <message>
        <source>the program before loading</source>
        <translation>加载前的程序</translation>
    </message>
    <message>
        <source>Phases</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>resident MiB</source>
        <translation>常驻 MiB</translation>
    </message>
    <message>
        <source>resident, MiB</source>
        <translation>常驻，MiB</translation>
    </message>
    <message>
        <source>peak, MiB</source>
        <translation>峰值，MiB</translation>
    </message>
    <message>
        <source>phases</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>resident</source>
        <translation>常驻</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>What narrower weights and a narrower KV cache save in memory and time, and how far the answers move.</source>
        <translation>更窄的权重和更窄的 KV 缓存能省多少内存和时间，回答又会偏离多少。</translation>
    </message>
    <message>
        <source>By type</source>
        <translation>按类型</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>KV</source>
        <translation>KV</translation>
    </message>
    <message>
        <source>weights MiB</source>
        <translation>权重 MiB</translation>
    </message>
    <message>
        <source>weights, MiB</source>
        <translation>权重，MiB</translation>
    </message>
    <message>
        <source>KV bytes a token</source>
        <translation>每 token KV 字节</translation>
    </message>
    <message>
        <source>KV, bytes a token</source>
        <translation>KV，每 token 字节数</translation>
    </message>
    <message>
        <source>tokens/s, speed-up</source>
        <translation>token/s，加速比</translation>
    </message>
    <message>
        <source>divergence</source>
        <translation>散度</translation>
    </message>
    <message>
        <source>divergence, nats a token</source>
        <translation>散度，每 token 奈特数</translation>
    </message>
    <message>
        <source>same choice</source>
        <translation>选择相同</translation>
    </message>
    <message>
        <source>same choice, %</source>
        <translation>选择相同，%</translation>
    </message>
    <message>
        <source>perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>perplexity, change in %</source>
        <translation>困惑度，变化（%）</translation>
    </message>
    <message>
        <source>Divergence: nats a token, of each variant's distributions from the model's own along the model's own answers.</source>
        <translation>散度：沿模型自己的回答，各变体的分布相对于模型自身分布的偏离，单位为每 token 奈特数。</translation>
    </message>
    <message>
        <source>Perplexity: of the same answers, as each variant predicts them; its change is from the first row's.</source>
        <translation>困惑度：对同样的回答，按各变体的预测计算；变化是相对于第一行。</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>compared with</source>
        <translation>对比对象</translation>
    </message>
    <message>
        <source>most off</source>
        <translation>最大偏差</translation>
    </message>
    <message>
        <source>logits, most off</source>
        <translation>logit，最大偏差</translation>
    </message>
    <message>
        <source>mean off</source>
        <translation>平均偏差</translation>
    </message>
    <message>
        <source>logits, mean off</source>
        <translation>logit，平均偏差</translation>
    </message>
    <message>
        <source>%1, as %2 reads them</source>
        <translation>%1，按 %2 读取</translation>
    </message>
    <message>
        <source>f32</source>
        <translation>f32</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>the model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>f32, these weights</source>
        <translation>f32，同样的权重</translation>
    </message>
    <message>
        <source>Compared with the model: what rounding the weights costs, both in float32 arithmetic. Compared with f32, these weights: what the arithmetic and the KV cache add. Logits: as they are, without a unit.</source>
        <translation>与模型对比：权重舍入的代价，两者都用 float32 运算。与“f32，同样的权重”对比：运算和 KV 缓存另外带来的误差。logit：原始数值，无单位。</translation>
    </message>
    <message>
        <source>Quantization of %1</source>
        <translation>%1 的量化</translation>
    </message>
    <message>
        <source>weights, arithmetic</source>
        <translation>权重，运算</translation>
    </message>
    <message>
        <source>weights, KV</source>
        <translation>权重，KV</translation>
    </message>
    <message>
        <source>nats a token</source>
        <translation>每 token 奈特数</translation>
    </message>
    <message>
        <source>bytes a token</source>
        <translation>每 token 字节数</translation>
    </message>
    <message>
        <source>KV %1</source>
        <translation>KV %1</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>屋顶线</translation>
    </message>
    <message>
        <source>How near each operation of a forward comes to what the machine's memory and arithmetic allow.</source>
        <translation>前向中的每个操作，离机器的内存和运算能力所允许的极限有多近。</translation>
    </message>
    <message>
        <source>time by operation</source>
        <translation>各操作用时</translation>
    </message>
    <message>
        <source>Time of a forward, by operation</source>
        <translation>一次前向的用时，按操作</translation>
    </message>
    <message>
        <source>operation</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>The machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>at most</source>
        <translation>最高</translation>
    </message>
    <message>
        <source>copying within %1</source>
        <translation>在 %1 内复制</translation>
    </message>
    <message>
        <source>reading %1 again and again</source>
        <translation>反复读取 %1</translation>
    </message>
    <message>
        <source>copying memory</source>
        <translation>复制内存</translation>
    </message>
    <message>
        <source>reading memory</source>
        <translation>读取内存</translation>
    </message>
    <message numerus="yes">
        <source>decode, %n request(s)</source>
        <translation><numerusform>解码，%n 个请求</numerusform></translation>
    </message>
    <message>
        <source>Prefill of %1 tokens</source>
        <translation>预填充 %1 个 token</translation>
    </message>
    <message>
        <source>%1: at most %2 of the GPU's memory.</source>
        <translation>%1：GPU 内存最多用到 %2。</translation>
    </message>
    <message>
        <source>%1: a forward reads its weights, keys and values once each. Their roof: %2.</source>
        <translation>%1：一次前向把权重、键和值各读一遍。由此得出的屋顶：%2。</translation>
    </message>
    <message>
        <source>calls</source>
        <translation>调用次数</translation>
    </message>
    <message>
        <source>share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>share of the time, %</source>
        <translation>时间占比，%</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>Mflop</source>
        <translation>Mflop</translation>
    </message>
    <message>
        <source>flop/byte</source>
        <translation>flop/byte</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>of the limit</source>
        <translation>占上限</translation>
    </message>
    <message>
        <source>of the limit, %</source>
        <translation>占上限，%</translation>
    </message>
    <message>
        <source>limit</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>%1 arithmetic</source>
        <translation>%1 运算</translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation>推测解码</translation>
    </message>
    <message>
        <source>What drafting is worth, by the length of a draft and the layer that it comes from.</source>
        <translation>起草的收益，按草稿的长度和草稿出自的层来看。</translation>
    </message>
    <message>
        <source>acceptance by: %1</source>
        <translation>接受方式：%1</translation>
    </message>
    <message>
        <source>By draft</source>
        <translation>按草稿</translation>
    </message>
    <message>
        <source>K</source>
        <translation>K</translation>
    </message>
    <message>
        <source>draft length K</source>
        <translation>草稿长度 K</translation>
    </message>
    <message>
        <source>exit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>exit layer</source>
        <translation>退出层</translation>
    </message>
    <message>
        <source>spread</source>
        <translation>波动范围</translation>
    </message>
    <message>
        <source>speed-up, spread</source>
        <translation>加速比，波动范围</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>已接受</translation>
    </message>
    <message>
        <source>by position</source>
        <translation>按位置</translation>
    </message>
    <message>
        <source>accepted, by position</source>
        <translation>已接受，按位置</translation>
    </message>
    <message>
        <source>mean length</source>
        <translation>平均长度</translation>
    </message>
    <message>
        <source>accepted length, mean</source>
        <translation>接受长度，平均</translation>
    </message>
    <message>
        <source>draft ms</source>
        <translation>起草 ms</translation>
    </message>
    <message>
        <source>draft, ms</source>
        <translation>起草，ms</translation>
    </message>
    <message>
        <source>verify ms</source>
        <translation>验证 ms</translation>
    </message>
    <message>
        <source>verify, ms</source>
        <translation>验证，ms</translation>
    </message>
    <message>
        <source>break-even acceptance</source>
        <translation>盈亏平衡接受率</translation>
    </message>
    <message>
        <source>Speculation: how many times faster</source>
        <translation>推测解码：快多少倍</translation>
    </message>
    <message>
        <source>drafts</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>share of the tokens looked at</source>
        <translation>占所检查 token 的比例</translation>
    </message>
    <message>
        <source>time of a step</source>
        <translation>一步的用时</translation>
    </message>
    <message>
        <source>verify</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>exit %1</source>
        <translation>退出层 %1</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>How much the machine answers in a second, by how many requests are under way at once.</source>
        <translation>机器每秒能回答多少，按同时进行的请求数来看。</translation>
    </message>
    <message>
        <source>at once</source>
        <translation>并发</translation>
    </message>
    <message>
        <source>requests/s</source>
        <translation>请求/s</translation>
    </message>
    <message>
        <source>against the first</source>
        <translation>相对首行</translation>
    </message>
    <message>
        <source>tokens/s, against the first</source>
        <translation>token/s，相对首行</translation>
    </message>
    <message>
        <source>sequences in a step, at most</source>
        <translation>一步中的序列数，最多</translation>
    </message>
    <message>
        <source>Throughput of %1</source>
        <translation>%1 的吞吐量</translation>
    </message>
    <message>
        <source>requests a second</source>
        <translation>每秒请求数</translation>
    </message>
</context>
<context>
    <name>TokenFate</name>
    <message>
        <source>prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>sampled</source>
        <translation>已采样</translation>
    </message>
    <message>
        <source>draft, accepted</source>
        <translation>草稿，已接受</translation>
    </message>
    <message>
        <source>from the model, after the drafts</source>
        <translation>来自模型，在草稿之后</translation>
    </message>
    <message>
        <source>draft, rejected</source>
        <translation>草稿，已拒绝</translation>
    </message>
    <message>
        <source>draft, thrown away with the rejected one before it</source>
        <translation>草稿，随前面被拒绝的一起丢弃</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>For this start, %1: %2.</source>
        <extracomment>%1: what the option does, %2: the words that it takes</extracomment>
        <translation>仅本次启动，%1：%2。</translation>
    </message>
    <message>
        <source>A Hugging Face model folder to open.</source>
        <translation>要打开的 Hugging Face 模型文件夹。</translation>
    </message>
    <message>
        <source>Start with chat, step or present.</source>
        <translation>以 chat、step 或 present 开始。</translation>
    </message>
    <message>
        <source>Show the engine of a server, as it goes: http://host:port.</source>
        <translation>实时显示某台服务器的引擎：http://host:port。</translation>
    </message>
    <message>
        <source>Measure the window for a minute, print the figures, and quit.</source>
        <translation>测量窗口一分钟，打印各项数值，然后退出。</translation>
    </message>
    <message>
        <source>With --bench-window: print one JSON object.</source>
        <translation>与 --bench-window 合用：打印一个 JSON 对象。</translation>
    </message>
    <message>
        <source>Open a window of its own, also where one is open already.</source>
        <translation>另开一个窗口，即使已有窗口打开。</translation>
    </message>
    <message>
        <source>Save a picture of every view in every theme there, and end.</source>
        <translation>把每个视图在每种主题下的图片存到那里，然后结束。</translation>
    </message>
    <message>
        <source>Learn how LLM inference works, by looking.</source>
        <translation>通过观察，学习 LLM 推理的工作原理。</translation>
    </message>
    <message>
        <source>A trace (.vitrine), a scenario or bench results (.json), a lesson (.md), exported chats (.json, .jsonl, .zip), or a model folder to open; several bench results stand side by side. Any other text, source or PDF goes with the first message of a new chat.</source>
        <translation>要打开的轨迹文件 (.vitrine)、场景或基准测试结果 (.json)、课程 (.md)、导出的聊天 (.json, .jsonl, .zip) 或模型文件夹；多个基准测试结果会并排显示。其他文本、源代码或 PDF 会随新聊天的第一条消息一起发送。</translation>
    </message>
</context>
<context>
    <name>vitrine::AboutDialog</name>
    <message>
        <source>&amp;Copy diagnostics</source>
        <translation>复制诊断信息(&amp;C)</translation>
    </message>
    <message>
        <source>For a report of a problem. It has no text, title or path of yours</source>
        <translation>用于报告问题。其中没有你的文本、标题或路径</translation>
    </message>
    <message>
        <source>About Vitrine</source>
        <translation>关于 Vitrine</translation>
    </message>
    <message>
        <source>Vitrine %1 shows how LLM inference works, in an engine that really runs.
Free software under the GNU General Public License, version 3 or later.</source>
        <translation>Vitrine %1 在一个真正运行的引擎中展示 LLM 推理的工作原理。
自由软件，以 GNU 通用公共许可证第 3 版或更高版本发布。</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>诊断信息</translation>
    </message>
    <message>
        <source>&amp;Built with</source>
        <translation>构建所用(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Diagnostics</source>
        <translation>诊断信息(&amp;D)</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>库</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Used for</source>
        <translation>用途</translation>
    </message>
    <message>
        <source>Libraries that Vitrine is built with</source>
        <translation>构建 Vitrine 所用的库</translation>
    </message>
    <message>
        <source>%1, where it is installed</source>
        <translation>%1（如已安装）</translation>
    </message>
    <message>
        <source>not told</source>
        <translation>未告知</translation>
    </message>
</context>
<context>
    <name>vitrine::AnswerBranches</name>
    <message>
        <source>Look at its &amp;tokens</source>
        <translation>查看其 token(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation>继续(&amp;C)</translation>
    </message>
    <message>
        <source>Goes on where the answer was stopped, as if it had not been</source>
        <translation>从回答停下的地方继续，就像没有停过一样</translation>
    </message>
    <message>
        <source>&amp;Run again exactly</source>
        <translation>完全相同地再运行一次(&amp;R)</translation>
    </message>
    <message>
        <source>The same seed and sampling; then it is compared token for token</source>
        <translation>相同的种子和采样；然后逐个 token 对比</translation>
    </message>
    <message>
        <source>It has read other messages than those above it</source>
        <translation>它读到的消息与它上方的不同</translation>
    </message>
    <message>
        <source>Copy as &amp;Markdown</source>
        <translation>复制为 Markdown(&amp;M)</translation>
    </message>
    <message>
        <source>Copy as &amp;plain text</source>
        <translation>复制为纯文本(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Edit the answer…</source>
        <translation>编辑回答(&amp;E)…</translation>
    </message>
    <message>
        <source>%1: %2 then, %3 now</source>
        <translation>%1：当时 %2，现在 %3</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Compute mode</source>
        <translation>计算模式</translation>
    </message>
    <message>
        <source>Instruction set</source>
        <translation>指令集</translation>
    </message>
    <message>
        <source>Machine options differ</source>
        <translation>机器选项不同</translation>
    </message>
    <message>
        <source>Token for token the same</source>
        <translation>每个 token 都相同</translation>
    </message>
    <message>
        <source>The same up to token %1, where one of the two ends</source>
        <translation>直到第 %1 个 token 都相同，之后其中一个结束</translation>
    </message>
    <message>
        <source>Another token at place %1</source>
        <translation>第 %1 个 token 处不同</translation>
    </message>
</context>
<context>
    <name>vitrine::AnswerFormBox</name>
    <message>
        <source>This program does not know the kind, and asks for free text.</source>
        <translation>这个程序不认识这种形式，按自由文本处理。</translation>
    </message>
    <message>
        <source>Form of the answer</source>
        <translation>回答的形式</translation>
    </message>
    <message>
        <source>From a file…</source>
        <translation>从文件…</translation>
    </message>
    <message>
        <source>Write the text of a file here, in place of the present text</source>
        <translation>把文件的文本写到这里，替换现有文本</translation>
    </message>
    <message>
        <source>About the form</source>
        <translation>关于这种形式</translation>
    </message>
    <message>
        <source>%1 (not known here)</source>
        <translation>%1（此处不认识）</translation>
    </message>
    <message>
        <source>Write it here, or choose Free text.</source>
        <translation>写在这里，或选择自由文本。</translation>
    </message>
    <message>
        <source>The model does not think before it.</source>
        <translation>模型在此之前不思考。</translation>
    </message>
    <message>
        <source>It calls a tool only where the form is that of a call.</source>
        <translation>只有形式是工具调用时，它才会调用工具。</translation>
    </message>
    <message>
        <source>Open a form of answers</source>
        <translation>打开回答形式</translation>
    </message>
    <message>
        <source>Schemas, grammars and texts (*.json *.gbnf *.txt);;All files (*)</source>
        <translation>模式、语法和文本 (*.json *.gbnf *.txt);;所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 cannot be read.</source>
        <translation>无法读取 %1。</translation>
    </message>
    <message>
        <source>%1 is not taken: a form is a text in UTF-8 of at most 64 KiB.</source>
        <translation>不采用 %1：形式须是 UTF-8 文本，最大 64 KiB。</translation>
    </message>
</context>
<context>
    <name>vitrine::AnswerProgress</name>
    <message>
        <source>Tokens of the prompt that are read</source>
        <translation>已读取的提示词 token</translation>
    </message>
</context>
<context>
    <name>vitrine::AnswerStrips</name>
    <message>
        <source>Chats that are being answered</source>
        <translation>正在回答的聊天</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 个</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新聊天</translation>
    </message>
    <message>
        <source>Show the chat “%1”</source>
        <translation>显示聊天“%1”</translation>
    </message>
    <message>
        <source>Stop the answer in “%1”</source>
        <translation>停止“%1”中的回答</translation>
    </message>
    <message>
        <source>Waiting in the queue</source>
        <translation>在队列中等待</translation>
    </message>
    <message>
        <source>Preempted, waits to resume</source>
        <translation>被抢占，等待恢复</translation>
    </message>
</context>
<context>
    <name>vitrine::AnswerText</name>
    <message>
        <source>The model wrote</source>
        <translation>模型写道</translation>
    </message>
</context>
<context>
    <name>vitrine::AnswerWriter</name>
    <message>
        <source>The server did not finish it</source>
        <translation>服务器没有完成它</translation>
    </message>
    <message>
        <source>The step that computed it failed</source>
        <translation>计算它的那一步失败了</translation>
    </message>
</context>
<context>
    <name>vitrine::Appearance</name>
    <message>
        <source>&amp;Follow the desktop</source>
        <translation>跟随桌面(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>高对比度(&amp;H)</translation>
    </message>
</context>
<context>
    <name>vitrine::AttachDialog</name>
    <message>
        <source>Attach to a server</source>
        <translation>附接到服务器</translation>
    </message>
    <message>
        <source>Shows the engine of another window's Serve, or of vitrine-cli serve, in all views of this one, as it goes. With its token it is steered from here, too, with its watch token it is watched. This window's machine closes.</source>
        <translation>在本窗口的所有视图中，实时显示另一个窗口的“提供服务”或 vitrine-cli serve 的引擎。用它的令牌还可以从这里操控它，用旁观令牌则只能旁观。本窗口的机器会关闭。</translation>
    </message>
    <message>
        <source>Address of the server</source>
        <translation>服务器的地址</translation>
    </message>
    <message>
        <source>Address and port, or the link to the server's page, which may hold the token</source>
        <translation>地址和端口，或服务器页面的链接（其中可能含有令牌）</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Token of the server</source>
        <translation>服务器的令牌</translation>
    </message>
    <message>
        <source>Where the server asks for one; its watch token is enough to watch. It is kept in no file.</source>
        <translation>服务器要求令牌时填写；旁观令牌足以旁观。它不会保存到任何文件。</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>地址(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Token</source>
        <translation>令牌(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Watch</source>
        <translation>旁观(&amp;W)</translation>
    </message>
</context>
<context>
    <name>vitrine::AttentionModel</name>
    <message>
        <source>“%1” (position %2)</source>
        <translation>“%1”（位置 %2）</translation>
    </message>
    <message>
        <source>%1 comes before that token, and sees nothing of it.</source>
        <translation>%1 在该 token 之前，完全看不到它。</translation>
    </message>
    <message>
        <source>%1 looks at “%2” (position %3): %4</source>
        <translation>%1 看向“%2”（位置 %3）：%4</translation>
    </message>
    <message>
        <source>“%1” %2</source>
        <translation>“%1” %2</translation>
    </message>
    <message>
        <source>%1 looks most at %2</source>
        <translation>%1 看得最多的是 %2</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Looks from</source>
        <translation>看的一方</translation>
    </message>
</context>
<context>
    <name>vitrine::AttentionView</name>
    <message>
        <source>Where tokens look: attention</source>
        <translation>token 看向哪里：注意力</translation>
    </message>
</context>
<context>
    <name>vitrine::BatchModel</name>
    <message>
        <source>draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>%1 decode</source>
        <translation>%1 解码</translation>
    </message>
    <message>
        <source>%1 draft</source>
        <translation>%1 草稿</translation>
    </message>
    <message>
        <source>%1 prefill</source>
        <translation>%1 预填充</translation>
    </message>
    <message>
        <source>%1 padding</source>
        <translation>%1 填充</translation>
    </message>
    <message>
        <source>one forward</source>
        <translation>一次前向</translation>
    </message>
    <message>
        <source>planned</source>
        <translation>已规划</translation>
    </message>
    <message>
        <source>in the forward</source>
        <translation>前向中</translation>
    </message>
    <message>
        <source>the step failed</source>
        <translation>这一步失败了</translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) · %1 · %2</source>
        <translation><numerusform>%n 行 · %1 · %2</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>A GPU knows steps of some sizes only. This batch of %1 runs in the graph of %2: the GPU computes %n row(s) of padding in vain.</source>
        <translation><numerusform>GPU 只认识某些大小的步。这个 %1 行的批次在 %2 行的图中运行：GPU 白白计算了 %n 行填充。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Before, the first layers of the model drafted in %n small batch(es), one token of each draft at a time; this forward goes on from their hidden states.</source>
        <translation><numerusform>在此之前，模型的前几层分 %n 个小批次起草，每次各草稿一个 token；本次前向从它们的隐藏状态接着算。</numerusform></translation>
    </message>
    <message>
        <source>Before, the draft model drafted in batches of its own, one token of each draft at a time.</source>
        <translation>在此之前，草稿模型以自己的批次起草，每次各草稿一个 token。</translation>
    </message>
    <message>
        <source>The drafts are n-grams of the text, found without a forward.</source>
        <translation>草稿是文本中的 n-gram，无需前向即可找到。</translation>
    </message>
    <message>
        <source>%1: “%2”, %3</source>
        <translation>%1：“%2”，%3</translation>
    </message>
    <message>
        <source>position %1</source>
        <translation>位置 %1</translation>
    </message>
    <message>
        <source>position %1 of the tokens that are left, turned as position %2 of the text</source>
        <translation>留下的 token 中的位置 %1，按文本中的位置 %2 旋转</translation>
    </message>
    <message>
        <source>its block is not allocated yet</source>
        <translation>它的块尚未分配</translation>
    </message>
    <message>
        <source>slot %1 = block %2 × %3 + %4</source>
        <translation>槽位 %1 = 块 %2 × %3 + %4</translation>
    </message>
    <message>
        <source>block table: %1</source>
        <translation>块表：%1</translation>
    </message>
    <message numerus="yes">
        <source>sees %n token(s), itself included</source>
        <translation><numerusform>看到 %n 个 token，包括自身</numerusform></translation>
    </message>
    <message>
        <source>in layers that slide: the last %1</source>
        <translation>在滑动窗口的层中：最后 %1 个</translation>
    </message>
    <message>
        <source>its logits are computed: it is sampled from</source>
        <translation>计算它的 logit：从中采样</translation>
    </message>
    <message numerus="yes">
        <source>behind it: %n row(s) of padding</source>
        <translation><numerusform>其后：%n 行填充</numerusform></translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>工作</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Rotary position</source>
        <translation>旋转位置</translation>
    </message>
    <message>
        <source>Slot</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>Block table</source>
        <translation>块表</translation>
    </message>
    <message>
        <source>Sees</source>
        <translation>看到</translation>
    </message>
    <message>
        <source>Logits</source>
        <translation>logit</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
</context>
<context>
    <name>vitrine::BatchView</name>
    <message>
        <source>Batch of the step</source>
        <translation>本步的批次</translation>
    </message>
    <message>
        <source>This step has computed no token.</source>
        <translation>这一步没有计算任何 token。</translation>
    </message>
    <message>
        <source>The rows of a step's forward appear here: each token that it computes, with its position and the slot of its keys and values.</source>
        <translation>这里显示一步的前向中的各行：它计算的每个 token，以及其位置和键、值所在的槽位。</translation>
    </message>
    <message>
        <source>padding</source>
        <translation>填充</translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) of padding</source>
        <translation><numerusform>%n 行填充</numerusform></translation>
    </message>
    <message>
        <source>Click to show them all</source>
        <translation>单击以全部显示</translation>
    </message>
    <message numerus="yes">
        <source>%n more row(s) of %1, folded; Enter shows them</source>
        <translation><numerusform>%1 还有 %n 行，已折叠；按 Enter 显示</numerusform></translation>
    </message>
    <message>
        <source>&amp;Fold the rows of %1</source>
        <translation>折叠 %1 的行(&amp;F)</translation>
    </message>
    <message>
        <source>Show &amp;all rows of %1</source>
        <translation>显示 %1 的所有行(&amp;A)</translation>
    </message>
    <message>
        <source>work</source>
        <translation>工作</translation>
    </message>
    <message>
        <source>token</source>
        <translation>token</translation>
    </message>
    <message>
        <source>position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>in the text</source>
        <translation>文本中</translation>
    </message>
    <message>
        <source>slot</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>block table</source>
        <translation>块表</translation>
    </message>
    <message>
        <source>sees</source>
        <translation>看到</translation>
    </message>
    <message>
        <source>logits</source>
        <translation>logit</translation>
    </message>
    <message>
        <source>not drafted yet</source>
        <translation>尚未起草</translation>
    </message>
    <message>
        <source>slot = block × %1 + offset · filled block: the row's keys and values go there · disc: its logits are computed, and sampled from</source>
        <translation>槽位 = 块 × %1 + 偏移 · 实心格：该行的键和值写入此处 · 圆点：计算它的 logit 并从中采样</translation>
    </message>
    <message numerus="yes">
        <source>… %n more row(s) of %1, to position %2</source>
        <translation><numerusform>… %1 还有 %n 行，直到位置 %2</numerusform></translation>
    </message>
</context>
<context>
    <name>vitrine::BeamTreeModel</name>
    <message>
        <source>%1 · width %2</source>
        <translation>%1 · 束宽 %2</translation>
    </message>
    <message>
        <source>%1 · length penalty %2</source>
        <translation>%1 · 长度惩罚 %2</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>dead end</source>
        <translation>死路</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>位次 %1</translation>
    </message>
    <message>
        <source>beaten</source>
        <translation>被挤出</translation>
    </message>
    <message>
        <source>worse</source>
        <translation>更差</translation>
    </message>
    <message>
        <source>too low</source>
        <translation>太低</translation>
    </message>
    <message>
        <source>pruned</source>
        <translation>已剪枝</translation>
    </message>
    <message numerus="yes">
        <source>worse: complete with score %1, the worst of the %n hypothesis(es) has %2</source>
        <translation><numerusform>更差：已完成，得分 %1，而 %n 个假设中最差的为 %2</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>too low: complete, but at place %1, and only the first %n continuation(s) count</source>
        <translation><numerusform>太低：已完成，但排在第 %1 位，而只有前 %n 个续写有效</numerusform></translation>
    </message>
    <message>
        <source>pruned: the search ended with this step</source>
        <translation>已剪枝：搜索在这一步结束</translation>
    </message>
    <message>
        <source>pruned: score %1, the last kept one has %2</source>
        <translation>已剪枝：得分 %1，最后一个保留的为 %2</translation>
    </message>
    <message>
        <source>a dead end: kept, but in step %1 its last beam had no continuation that was kept</source>
        <translation>死路：曾保留，但在第 %1 步，它的最后一个束没有任何续写被保留</translation>
    </message>
    <message>
        <source>a dead end: kept, but no continuation of it was kept in step %1</source>
        <translation>死路：曾保留，但在第 %1 步，它没有任何续写被保留</translation>
    </message>
    <message>
        <source>%1; the best of them had score %2, the last kept one %3</source>
        <translation>%1；其中最好的得分 %2，最后一个保留的 %3</translation>
    </message>
    <message>
        <source>%1; the last kept one had score %2</source>
        <translation>%1；最后一个保留的得分 %2</translation>
    </message>
    <message>
        <source>all answers continue it</source>
        <translation>所有回答都由此续写</translation>
    </message>
    <message>
        <source>the tokens up to here are from before the recording began</source>
        <translation>到此为止的 token 来自录制开始之前</translation>
    </message>
    <message>
        <source>finished as hypothesis %1; better ones have pushed it out</source>
        <translation>作为假设 %1 完成；已被更好的挤出</translation>
    </message>
    <message>
        <source>finished: hypothesis %1, rank %2 of %3</source>
        <translation>已完成：假设 %1，位次 %2 / %3</translation>
    </message>
    <message>
        <source>%1; the answer of %2</source>
        <translation>%1；%2 的回答</translation>
    </message>
    <message>
        <source>kept: the best beam, carried on by %1</source>
        <translation>保留：最佳束，由 %1 接续</translation>
    </message>
    <message>
        <source>kept: a beam, carried on by %1</source>
        <translation>保留：一个束，由 %1 接续</translation>
    </message>
    <message>
        <source>kept: %1 continues it</source>
        <translation>保留：由 %1 续写</translation>
    </message>
    <message>
        <source>the search ends: it has as many hypotheses as beams</source>
        <translation>搜索结束：假设数已达到束数</translation>
    </message>
    <message>
        <source>the search ends: the best beam can reach %1, the worst hypothesis has %2</source>
        <translation>搜索结束：最佳束最多可达 %1，最差假设为 %2</translation>
    </message>
    <message>
        <source>the search ends: all continuations are complete</source>
        <translation>搜索结束：所有续写都已完成</translation>
    </message>
    <message>
        <source>The prompt, up to “%1”</source>
        <translation>提示词，到“%1”为止</translation>
    </message>
    <message>
        <source>“%1”, token %2 of the answer</source>
        <translation>“%1”，回答的第 %2 个 token</translation>
    </message>
    <message>
        <source>logprob %1, sum %2, score %3</source>
        <translation>对数概率 %1，总和 %2，得分 %3</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>token %1: from before the recording began</source>
        <translation>token %1：来自录制开始之前</translation>
    </message>
    <message>
        <source>token %1, chosen in step %2</source>
        <translation>token %1，在第 %2 步选中</translation>
    </message>
    <message numerus="yes">
        <source>%n continuation(s), %1 kept</source>
        <translation><numerusform>%n 个续写，保留 %1 个</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n worse continuation(s) not shown</source>
        <translation><numerusform>还有 %n 个更差的续写未显示</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n hypothesis(es) so far</source>
        <translation><numerusform>到目前为止 %n 个假设</numerusform></translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Continues node</source>
        <translation>所续节点</translation>
    </message>
    <message>
        <source>Logprob</source>
        <translation>对数概率</translation>
    </message>
    <message>
        <source>Sum of logprobs</source>
        <translation>对数概率之和</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>Fate</source>
        <translation>结局</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>位次</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
</context>
<context>
    <name>vitrine::BeamsView</name>
    <message>
        <source>Tree of the beam search</source>
        <translation>束搜索树</translation>
    </message>
    <message>
        <source>thick: best · dashed: pruned · bar: complete · blocks of the lit path are lit in KV memory</source>
        <translation>粗线：最佳 · 虚线：已剪枝 · 竖线：已完成 · 亮起路径的块在 KV 内存中也亮起</translation>
    </message>
    <message>
        <source>The score is the sum of the logprobs, divided by the number of tokens to the power of the length penalty. “dead end”: kept once, and no beam or answer continues it now. “too low” and “worse”: complete, but no hypothesis. “beaten”: better hypotheses have pushed it out.</source>
        <translation>得分是对数概率之和除以 token 数的长度惩罚次幂。“死路”：曾保留，现在没有束或回答由它续写。“太低”和“更差”：已完成，但不成为假设。“被挤出”：被更好的假设挤出。</translation>
    </message>
    <message>
        <source>No beam search here: open the scenario “A beam search” of the Scenario menu, or choose Beams in Sampling and send a message.</source>
        <translation>这里没有束搜索：打开“场景”菜单中的场景“A beam search”，或在“采样”中选择“束”并发送一条消息。</translation>
    </message>
    <message>
        <source>dead end</source>
        <translation>死路</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>token %1</translation>
    </message>
    <message>
        <source>Size by the &amp;room</source>
        <translation>按空间调整大小(&amp;R)</translation>
    </message>
</context>
<context>
    <name>vitrine::BenchFigureCard</name>
    <message>
        <source>&amp;Figure</source>
        <translation>图(&amp;F)</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Copy the figure as a picture</source>
        <translation>把图复制为图片</translation>
    </message>
    <message>
        <source>Save picture…</source>
        <translation>保存图片…</translation>
    </message>
    <message>
        <source>Save the figure as SVG or PNG</source>
        <translation>把图保存为 SVG 或 PNG</translation>
    </message>
</context>
<context>
    <name>vitrine::BenchOpening</name>
    <message>
        <source>Open bench results</source>
        <translation>打开基准测试结果</translation>
    </message>
    <message>
        <source>Results of vitrine-cli bench (*.json)</source>
        <translation>vitrine-cli bench 的结果 (*.json)</translation>
    </message>
</context>
<context>
    <name>vitrine::BenchResultsWindow</name>
    <message>
        <source>model: %1</source>
        <translation>模型：%1</translation>
    </message>
    <message>
        <source>%1 weights</source>
        <translation>%1 权重</translation>
    </message>
    <message>
        <source>backend %1</source>
        <translation>后端 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation><numerusform>%n 个线程</numerusform></translation>
    </message>
    <message>
        <source>What it measures</source>
        <translation>测量的内容</translation>
    </message>
    <message>
        <source>Remarks</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>&amp;Compare with…</source>
        <translation>对比(&amp;C)…</translation>
    </message>
    <message>
        <source>Open another result of the same kind beside this one, or drop its file here</source>
        <translation>在旁边打开另一份同类结果，或把它的文件拖放到这里</translation>
    </message>
    <message>
        <source>Kind of benchmark</source>
        <translation>基准测试的种类</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) stand side by side here at most.</source>
        <translation><numerusform>这里最多并排 %n 个文件。</numerusform></translation>
    </message>
    <message>
        <source>Remove one, or close this window.</source>
        <translation>移除一个，或关闭本窗口。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>What %1 belongs to</source>
        <translation>%1 的归属</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
</context>
<context>
    <name>vitrine::BenchTableCard</name>
    <message>
        <source>Ta&amp;ble</source>
        <translation>表格(&amp;B)</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>Copy the table with all its numbers and their spreads</source>
        <translation>复制表格，包括所有数值及其波动范围</translation>
    </message>
    <message>
        <source>Save as CSV…</source>
        <translation>保存为 CSV…</translation>
    </message>
    <message>
        <source>Save the table with all its numbers and their spreads</source>
        <translation>保存表格，包括所有数值及其波动范围</translation>
    </message>
    <message>
        <source>table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Save the table</source>
        <translation>保存表格</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>The table was not saved</source>
        <translation>表格未保存</translation>
    </message>
</context>
<context>
    <name>vitrine::BenchTableModel</name>
    <message numerus="yes">
        <source>Measured %n time(s):</source>
        <translation><numerusform>测量 %n 次：</numerusform></translation>
    </message>
    <message>
        <source>mean %1, standard deviation %2, median %3, from %4 to %5</source>
        <translation>平均值 %1，标准差 %2，中位数 %3，从 %4 到 %5</translation>
    </message>
    <message>
        <source>%1, standard deviation</source>
        <translation>%1，标准差</translation>
    </message>
    <message>
        <source>%1, median</source>
        <translation>%1，中位数</translation>
    </message>
    <message>
        <source>%1, least</source>
        <translation>%1，最小值</translation>
    </message>
    <message>
        <source>%1, most</source>
        <translation>%1，最大值</translation>
    </message>
</context>
<context>
    <name>vitrine::BlankCover</name>
    <message>
        <source>The window is blank: any key brings it back</source>
        <translation>窗口已清空：按任意键恢复</translation>
    </message>
</context>
<context>
    <name>vitrine::BlockMapModel</name>
    <message>
        <source>allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>found in the prefix cache</source>
        <translation>在前缀缓存中找到</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>copied on write</source>
        <translation>写时已复制</translation>
    </message>
    <message>
        <source>registered in the prefix cache</source>
        <translation>已登记到前缀缓存</translation>
    </message>
    <message>
        <source>evicted from the prefix cache</source>
        <translation>已从前缀缓存驱逐</translation>
    </message>
    <message>
        <source>freed</source>
        <translation>已释放</translation>
    </message>
    <message>
        <source>Block %1: told of by the server; its number is a place here</source>
        <translation>块 %1：由服务器告知；编号是它在这里的位置</translation>
    </message>
    <message>
        <source>Place %1: its block was evicted</source>
        <translation>位置 %1：它的块已被驱逐</translation>
    </message>
    <message>
        <source>Block %1: free</source>
        <translation>块 %1：空闲</translation>
    </message>
    <message>
        <source>next to be allocated</source>
        <translation>下一个分配</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) before it in the free queue</source>
        <translation><numerusform>空闲队列中它前面有 %n 个块</numerusform></translation>
    </message>
    <message>
        <source>the blocks before it were evicted</source>
        <translation>它前面的块已被驱逐</translation>
    </message>
    <message>
        <source>prefix: blocks %1</source>
        <translation>前缀：块 %1</translation>
    </message>
    <message>
        <source>the blocks before them were evicted</source>
        <translation>它们前面的块已被驱逐</translation>
    </message>
    <message>
        <source>Block %1: held by %2</source>
        <translation>块 %1：由 %2 持有</translation>
    </message>
    <message>
        <source>%1 of %2 slots filled</source>
        <translation>已填 %1 / %2 个槽位</translation>
    </message>
    <message numerus="yes">
        <source>shared, %n references</source>
        <translation><numerusform>共享，%n 个引用</numerusform></translation>
    </message>
    <message>
        <source>in the prefix cache, hash %1</source>
        <translation>在前缀缓存中，哈希 %1</translation>
    </message>
    <message>
        <source>still in the prefix cache, hash %1</source>
        <translation>仍在前缀缓存中，哈希 %1</translation>
    </message>
    <message>
        <source>in this step: %1</source>
        <translation>本步中：%1</translation>
    </message>
    <message>
        <source>%1 was swapped out to %2 slot %3</source>
        <translation>%1 已换出到%2槽位 %3</translation>
    </message>
    <message>
        <source>%1 was swapped in from %2 slot %3</source>
        <translation>%1 已从%2槽位 %3 换入</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Held by</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Filled</source>
        <translation>已填</translation>
    </message>
    <message>
        <source>References</source>
        <translation>引用</translation>
    </message>
    <message>
        <source>Cached</source>
        <translation>已缓存</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Hash</source>
        <translation>哈希</translation>
    </message>
    <message>
        <source>Free queue</source>
        <translation>空闲队列</translation>
    </message>
    <message>
        <source>In this step</source>
        <translation>本步中</translation>
    </message>
</context>
<context>
    <name>vitrine::BlockMapView</name>
    <message>
        <source>KV block map</source>
        <translation>KV 块内存图</translation>
    </message>
    <message>
        <source>A vLLM that publishes KV events shows its prefix cache here: Model → Connect to a server… takes their address.</source>
        <translation>发布 KV 事件的 vLLM 会在这里显示其前缀缓存：模型 → 连接到服务器… 可填写它们的地址。</translation>
    </message>
    <message>
        <source>The engine's memory appears here once a model is loaded: one cell for each block of keys and values.</source>
        <translation>加载模型后，这里显示引擎的内存：每个键值块一个格子。</translation>
    </message>
    <message>
        <source>cached blocks: %1 · %2 tokens each</source>
        <translation>已缓存的块：%1 · 每块 %2 个 token</translation>
    </message>
    <message>
        <source>%1 of %2 blocks in use</source>
        <translation>使用中 %1 / %2 个块</translation>
    </message>
    <message>
        <source>%1 free, still cached</source>
        <translation>%1 空闲，仍已缓存</translation>
    </message>
    <message>
        <source>%1 tokens each</source>
        <translation>每块 %1 个 token</translation>
    </message>
    <message>
        <source>Show the &amp;events of block %1</source>
        <translation>显示块 %1 的事件(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Fit the whole pool</source>
        <translation>适应整个池(&amp;F)</translation>
    </message>
</context>
<context>
    <name>vitrine::BlockRangesModel</name>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>swapped out</source>
        <translation>已换出</translation>
    </message>
    <message>
        <source>free, still cached</source>
        <translation>空闲，仍已缓存</translation>
    </message>
    <message>
        <source>free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>%1 slot %2</source>
        <translation>%1槽位 %2</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Held by</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>Filled</source>
        <translation>已填</translation>
    </message>
    <message>
        <source>References</source>
        <translation>引用</translation>
    </message>
    <message>
        <source>Free queue</source>
        <translation>空闲队列</translation>
    </message>
    <message>
        <source>Hash</source>
        <translation>哈希</translation>
    </message>
    <message>
        <source>Hash before it</source>
        <translation>前一块的哈希</translation>
    </message>
    <message>
        <source>In this step</source>
        <translation>本步中</translation>
    </message>
</context>
<context>
    <name>vitrine::BlockTableModel</name>
    <message>
        <source>Index</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>References</source>
        <translation>引用</translation>
    </message>
    <message>
        <source>Cached</source>
        <translation>已缓存</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Hash</source>
        <translation>哈希</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
</context>
<context>
    <name>vitrine::BlockedModel</name>
    <message>
        <source>too few blocks</source>
        <translation>块太少</translation>
    </message>
    <message>
        <source>too few slots</source>
        <translation>槽位太少</translation>
    </message>
    <message>
        <source>token budget</source>
        <translation>token 预算</translation>
    </message>
    <message>
        <source>a step that preempts</source>
        <translation>发生抢占的一步</translation>
    </message>
    <message>
        <source>head-of-line blocking</source>
        <translation>队头阻塞</translation>
    </message>
    <message>
        <source>closed batch</source>
        <translation>批次已关闭</translation>
    </message>
    <message>
        <source>unfinished first beam</source>
        <translation>第一个束未算完</translation>
    </message>
    <message>
        <source>batching window</source>
        <translation>批处理窗口</translation>
    </message>
    <message>
        <source>Blocked by</source>
        <translation>受阻原因</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Longest</source>
        <translation>最长</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n step(s)</source>
        <translation><numerusform>%1：%n 步</numerusform></translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>%1: %2 of waiting, %3 of all. Longest: %4. Waiting now: %5.</source>
        <translation>%1：等待 %2，占全部的 %3。最长：%4。现在等待：%5。</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation><numerusform>%n 步</numerusform></translation>
    </message>
</context>
<context>
    <name>vitrine::BlockedView</name>
    <message>
        <source>Reasons why sequences waited</source>
        <translation>序列等待的原因</translation>
    </message>
    <message>
        <source>No sequence has had to wait yet. A bar appears here for each reason to wait.</source>
        <translation>还没有序列需要等待。每种等待原因在这里显示一个条。</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s) of waiting</source>
        <translation><numerusform>等待 %n 步</numerusform></translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>vitrine::BranchController</name>
    <message>
        <source>%1 is %2</source>
        <translation>%1 是 %2</translation>
    </message>
    <message>
        <source>A branch is computed by a model, and none is open.</source>
        <translation>分支由模型计算，而现在没有打开模型。</translation>
    </message>
</context>
<context>
    <name>vitrine::BranchMap</name>
    <message>
        <source>Branches of this chat</source>
        <translation>本聊天的分支</translation>
    </message>
</context>
<context>
    <name>vitrine::BranchMapModel</name>
    <message>
        <source>last answer: %1 of %2 prompt tokens from the cache</source>
        <translation>上一个回答：%2 个提示词 token 中有 %1 个来自缓存</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation><numerusform>%n 条消息</numerusform></translation>
    </message>
    <message>
        <source>shown now</source>
        <translation>当前显示</translation>
    </message>
    <message>
        <source>Other branches took %1 tokens from the cache: computed once.</source>
        <translation>其他分支从缓存取用了 %1 个 token：只计算一次。</translation>
    </message>
    <message numerus="yes">
        <source>Other branches took %1 tokens = %n block(s) from the cache: computed once.</source>
        <translation><numerusform>其他分支从缓存取用了 %1 个 token = %n 个块：只计算一次。</numerusform></translation>
    </message>
</context>
<context>
    <name>vitrine::BranchPast</name>
    <message>
        <source>Reading the steps before the branch</source>
        <translation>正在读取分支之前的步</translation>
    </message>
    <message>
        <source>The recording's steps and the machine differ after step %1.</source>
        <translation>从第 %1 步之后，录制的步与机器不同。</translation>
    </message>
    <message>
        <source>Another version of the program may have recorded them.</source>
        <translation>录制它们的可能是另一个版本的程序。</translation>
    </message>
    <message>
        <source>The steps up to %1 are not shown here.</source>
        <translation>到第 %1 步为止的步不在这里显示。</translation>
    </message>
    <message>
        <source>The run before has them: Run, Earlier runs.</source>
        <translation>之前的运行中有它们：运行 → 较早的运行。</translation>
    </message>
</context>
<context>
    <name>vitrine::BreakpointsDialog</name>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>Stop &amp;inside the step, before its next phase</source>
        <translation>在步内停下，在下一阶段之前(&amp;I)</translation>
    </message>
    <message>
        <source>Breakpoints</source>
        <translation>断点</translation>
    </message>
    <message>
        <source>A run stops at the end of the step in which one of these happens.</source>
        <translation>发生其中之一时，运行在该步结束时停下。</translation>
    </message>
    <message>
        <source>Kind of event that stops the run</source>
        <translation>使运行停下的事件种类</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>添加(&amp;A)</translation>
    </message>
    <message>
        <source>any request</source>
        <translation>任意请求</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>a text, or #273</source>
        <translation>文本，或 #273</translation>
    </message>
    <message>
        <source>bits, such as 3.5</source>
        <translation>比特数，例如 3.5</translation>
    </message>
    <message>
        <source>a step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>a name, such as block_freed</source>
        <translation>名称，例如 block_freed</translation>
    </message>
    <message>
        <source>no value</source>
        <translation>无值</translation>
    </message>
    <message>
        <source>Choose a request on the right.</source>
        <translation>在右侧选择一个请求。</translation>
    </message>
    <message>
        <source>This breakpoint is there already.</source>
        <translation>这个断点已经存在。</translation>
    </message>
</context>
<context>
    <name>vitrine::BuiltWith</name>
    <message>
        <source>the window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>plots</source>
        <translation>曲线图</translation>
    </message>
    <message>
        <source>the file of the chats</source>
        <translation>聊天文件</translation>
    </message>
    <message>
        <source>Markdown of answers</source>
        <translation>回答的 Markdown</translation>
    </message>
    <message>
        <source>colours of code</source>
        <translation>代码着色</translation>
    </message>
    <message>
        <source>tokenizers</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>how tokenizers split a text</source>
        <translation>分词器如何切分文本</translation>
    </message>
    <message>
        <source>Unicode in tokenizers</source>
        <translation>分词器中的 Unicode</translation>
    </message>
    <message>
        <source>the kernels' vector instructions</source>
        <translation>计算内核的向量指令</translation>
    </message>
    <message>
        <source>JSON files</source>
        <translation>JSON 文件</translation>
    </message>
    <message>
        <source>traces</source>
        <translation>轨迹</translation>
    </message>
    <message>
        <source>chats in ZIP archives</source>
        <translation>ZIP 归档中的聊天</translation>
    </message>
    <message>
        <source>the text of PDF files</source>
        <translation>PDF 文件中的文本</translation>
    </message>
    <message>
        <source>the command line vitrine-cli</source>
        <translation>命令行 vitrine-cli</translation>
    </message>
    <message>
        <source>the network of vitrine-cli serve</source>
        <translation>vitrine-cli serve 的网络</translation>
    </message>
    <message>
        <source>the metrics of vitrine-cli serve</source>
        <translation>vitrine-cli serve 的指标</translation>
    </message>
    <message>
        <source>the KV-cache events of other servers</source>
        <translation>其他服务器的 KV 缓存事件</translation>
    </message>
    <message>
        <source>the reference backend</source>
        <translation>参考后端</translation>
    </message>
</context>
<context>
    <name>vitrine::CallCards</name>
    <message>
        <source>The call</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Calls %1</source>
        <translation>调用 %1</translation>
    </message>
    <message>
        <source>Calls %1 …</source>
        <translation>正在调用 %1 …</translation>
    </message>
    <message>
        <source>Calls a tool …</source>
        <translation>正在调用工具 …</translation>
    </message>
    <message>
        <source>Call of %1, cut off</source>
        <translation>对 %1 的调用，已截断</translation>
    </message>
    <message>
        <source>Call of a tool, cut off</source>
        <translation>对工具的调用，已截断</translation>
    </message>
    <message>
        <source>Call of %1, unreadable</source>
        <translation>对 %1 的调用，无法读取</translation>
    </message>
    <message>
        <source>Call of a tool, unreadable</source>
        <translation>对工具的调用，无法读取</translation>
    </message>
    <message>
        <source>The answer ended within this call. With Continue or Again it may become whole.</source>
        <translation>回答在这个调用中途结束。用“继续”或“重答”可能使它完整。</translation>
    </message>
    <message>
        <source>The model made a mistake in this call, such as JSON that is not valid, so it has no result.</source>
        <translation>模型在这个调用中出错，例如 JSON 无效，因此没有结果。</translation>
    </message>
    <message>
        <source>The model's call of this tool. Nothing is run.</source>
        <translation>模型对该工具的调用。不会运行任何东西。</translation>
    </message>
</context>
<context>
    <name>vitrine::CatalogWording</name>
    <message>
        <source>No file of %1 was chosen.</source>
        <translation>没有选择 %1 的文件。</translation>
    </message>
    <message>
        <source>%1 is no place for models.</source>
        <translation>%1 不能用来存放模型。</translation>
    </message>
    <message>
        <source>"%1" is refused as the name of a file.</source>
        <translation>文件名“%1”被拒绝。</translation>
    </message>
    <message>
        <source>The files need %1 more, and %2 are free in %3.</source>
        <translation>这些文件还需要 %1，而 %3 中可用空间为 %2。</translation>
    </message>
    <message>
        <source>Make room, or choose another folder or a smaller file.</source>
        <translation>腾出空间，或选择其他文件夹或较小的文件。</translation>
    </message>
    <message>
        <source>lies too deep: the folders in it were not searched</source>
        <translation>层级太深：其中的文件夹未搜索</translation>
    </message>
    <message>
        <source>was not searched to its end: there are too many files</source>
        <translation>没有搜索完：文件太多</translation>
    </message>
    <message>
        <source>cannot be read: %1</source>
        <translation>无法读取：%1</translation>
    </message>
    <message>
        <source>Give a model as owner/name, or the address of its page.</source>
        <translation>以 owner/name 的形式给出模型，或给出其页面的地址。</translation>
    </message>
    <message>
        <source>"%1" cannot be a name on the hub.</source>
        <translation>“%1”不可能是 Hub 上的名称。</translation>
    </message>
    <message>
        <source>"%1" cannot be a file of a model.</source>
        <translation>“%1”不可能是模型的文件。</translation>
    </message>
    <message>
        <source>Models come from %1; "%2" is another host.</source>
        <translation>模型来自 %1；“%2”是另一个主机。</translation>
    </message>
    <message>
        <source>This address names no model but one of the hub's %1.</source>
        <translation>这个地址指的不是模型，而是 Hub 的 %1。</translation>
    </message>
    <message>
        <source>The hub's list of files cannot be read: %1.</source>
        <translation>无法读取 Hub 的文件列表：%1。</translation>
    </message>
    <message>
        <source>it is no list</source>
        <translation>它不是列表</translation>
    </message>
    <message>
        <source>The hub lists a file with a name that is refused: "%1".</source>
        <translation>Hub 列出的一个文件，其名称被拒绝：“%1”。</translation>
    </message>
    <message>
        <source>The hub lists %1 without a size or checksum that make sense.</source>
        <translation>Hub 列出的 %1 没有合理的大小或校验和。</translation>
    </message>
    <message>
        <source>%1 is no safe address of a hub.</source>
        <translation>%1 不是安全的 Hub 地址。</translation>
    </message>
    <message>
        <source>It must begin with https.</source>
        <translation>它必须以 https 开头。</translation>
    </message>
    <message>
        <source>This computer has no network connection.</source>
        <translation>这台计算机没有网络连接。</translation>
    </message>
    <message>
        <source>Models already on this computer need none.</source>
        <translation>已在这台计算机上的模型不需要网络。</translation>
    </message>
    <message>
        <source>The hub's answer to the search is no list of models.</source>
        <translation>Hub 对搜索的答复不是模型列表。</translation>
    </message>
    <message>
        <source>It needs %1; how much memory is free is not known.</source>
        <translation>它需要 %1；可用内存的大小未知。</translation>
    </message>
    <message>
        <source>Its weights alone need %1, and %2 of memory are free.</source>
        <translation>仅权重就需要 %1，而可用内存为 %2。</translation>
    </message>
    <message>
        <source>It needs %1 with this context, and %2 of memory are free.</source>
        <translation>按此上下文它需要 %1，而可用内存为 %2。</translation>
    </message>
    <message>
        <source>It needs %1 of the %2 of memory that are free: little is left for other programs.</source>
        <translation>它需要 %1，可用内存为 %2：留给其他程序的很少。</translation>
    </message>
    <message>
        <source>It needs %1 of the %2 of memory that are free.</source>
        <translation>它需要 %1，可用内存为 %2。</translation>
    </message>
    <message>
        <source>makes pictures; it is no language model</source>
        <translation>用于生成图片；它不是语言模型</translation>
    </message>
    <message>
        <source>leads to a file that is not there: it was deleted, or is not downloaded yet</source>
        <translation>指向一个不存在的文件：已被删除，或尚未下载</translation>
    </message>
    <message>
        <source>is an adapter, which changes another model, and no model of its own</source>
        <translation>是适配器，用来改变另一个模型，本身不是模型</translation>
    </message>
    <message>
        <source>has its weights in pytorch_model.bin; only safetensors and GGUF are read</source>
        <translation>权重在 pytorch_model.bin 中；只能读取 safetensors 和 GGUF</translation>
    </message>
    <message>
        <source>is the part of a model that sees pictures; this program reads text</source>
        <translation>是模型中负责看图的部分；这个程序读取文本</translation>
    </message>
    <message>
        <source>is not downloaded to its end</source>
        <translation>没有下载完</translation>
    </message>
    <message>
        <source>Of its %1 parts these are missing: %2. Download all parts into one folder.</source>
        <translation>其 %1 个部分中缺少：%2。把所有部分下载到同一个文件夹。</translation>
    </message>
    <message>
        <source>names a file that is not there: %1</source>
        <translation>指定的文件不存在：%1</translation>
    </message>
    <message>
        <source>helps to quantize a model, and is none</source>
        <translation>用于帮助量化模型，本身不是模型</translation>
    </message>
    <message>
        <source>has a vocabulary without weights</source>
        <translation>只有词表，没有权重</translation>
    </message>
    <message>
        <source>It cannot be read: %1.</source>
        <translation>无法读取：%1。</translation>
    </message>
    <message>
        <source>is not there any more</source>
        <translation>已不存在</translation>
    </message>
    <message>
        <source>A folder of yours</source>
        <translation>你的文件夹</translation>
    </message>
    <message>
        <source>names weights that are not there: %1</source>
        <translation>指定的权重不存在：%1</translation>
    </message>
    <message>
        <source>is no manifest of a model: its path names none</source>
        <translation>不是模型的清单：其路径没有给出名称</translation>
    </message>
    <message>
        <source>is a broken manifest: it lists no layers</source>
        <translation>清单已损坏：没有列出任何层</translation>
    </message>
    <message>
        <source>keeps each tensor in a file of its own, which is not read</source>
        <translation>每个张量各存为一个文件，这种形式无法读取</translation>
    </message>
    <message>
        <source>has no weights on this computer</source>
        <translation>在这台计算机上没有权重</translation>
    </message>
    <message>
        <source>is a broken manifest: a digest in it is none</source>
        <translation>清单已损坏：其中一个摘要无效</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made.</source>
        <translation>无法创建文件夹 %1。</translation>
    </message>
    <message>
        <source>Choose a folder that you may write to.</source>
        <translation>选择一个你有写入权限的文件夹。</translation>
    </message>
    <message>
        <source>%1 cannot get its name: %2.</source>
        <translation>%1 无法改成最终名称：%2。</translation>
    </message>
    <message>
        <source>Move what is there out of the way.</source>
        <translation>把占用这个位置的东西移走。</translation>
    </message>
    <message>
        <source>%1 cannot grow: the file system takes no larger file.</source>
        <translation>%1 无法再增大：文件系统不支持更大的文件。</translation>
    </message>
    <message>
        <source>Choose a folder on another disk.</source>
        <translation>选择另一个磁盘上的文件夹。</translation>
    </message>
    <message>
        <source>The disk is full: %1 cannot grow.</source>
        <translation>磁盘已满：%1 无法再增大。</translation>
    </message>
    <message>
        <source>Make room and go on; what has come is kept.</source>
        <translation>腾出空间后继续；已下载的部分会保留。</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>%1 is no address of a proxy. Write http://host:port, socks5://host:port, or none.</source>
        <translation>%1 不是代理地址。写成 http://host:port、socks5://host:port 或 none。</translation>
    </message>
    <message>
        <source>The hub does not give %1: there is no such model, or it is private or gated.</source>
        <translation>Hub 不提供 %1：没有这个模型，或者它是私有的或受限的。</translation>
    </message>
    <message>
        <source>Accept its terms on the hub's page, and set HF_TOKEN to a token of yours.</source>
        <translation>在 Hub 的页面上接受其条款，并把 HF_TOKEN 设为你的令牌。</translation>
    </message>
    <message>
        <source>Accept its terms on the hub's page with the account that HF_TOKEN belongs to.</source>
        <translation>用 HF_TOKEN 所属的账号在 Hub 的页面上接受其条款。</translation>
    </message>
    <message>
        <source>The hub does not know %1.</source>
        <translation>Hub 不认识 %1。</translation>
    </message>
    <message>
        <source>Check the spelling on the hub's page.</source>
        <translation>在 Hub 的页面上核对拼写。</translation>
    </message>
    <message>
        <source>The hub asks for fewer requests and did not give %1.</source>
        <translation>Hub 要求减少请求，没有提供 %1。</translation>
    </message>
    <message>
        <source>Try again in some minutes.</source>
        <translation>几分钟后再试。</translation>
    </message>
    <message>
        <source>The server answered %1 when asked for %2.</source>
        <translation>请求 %2 时，服务器答复 %1。</translation>
    </message>
    <message>
        <source>Try again later.</source>
        <translation>稍后再试。</translation>
    </message>
    <message>
        <source>The hub asks for fewer requests.</source>
        <translation>Hub 要求减少请求。</translation>
    </message>
    <message>
        <source>The server answered %1.</source>
        <translation>服务器答复 %1。</translation>
    </message>
    <message>
        <source>%1 cannot be reached: %2.</source>
        <translation>无法连接 %1：%2。</translation>
    </message>
    <message>
        <source>Check the network connection. Models already on this computer need none.</source>
        <translation>检查网络连接。已在这台计算机上的模型不需要网络。</translation>
    </message>
    <message>
        <source>%1 was not downloaded: %2.</source>
        <translation>%1 未能下载：%2。</translation>
    </message>
    <message>
        <source>%1 was not downloaded: no safe connection. %2.</source>
        <translation>%1 未能下载：没有安全连接。%2。</translation>
    </message>
    <message>
        <source>Check the date of this computer, and whether a proxy reads along.</source>
        <translation>检查这台计算机的日期，以及是否有代理在读取流量。</translation>
    </message>
    <message>
        <source>The connection broke again and again at %1: %2.</source>
        <translation>连接在 %1 处一再中断：%2。</translation>
    </message>
    <message>
        <source>The downloaded part is kept. Try again later.</source>
        <translation>已下载的部分会保留。稍后再试。</translation>
    </message>
</context>
<context>
    <name>vitrine::ChatBeside</name>
    <message>
        <source>What it is</source>
        <translation>它是什么</translation>
    </message>
    <message>
        <source>Where the two part</source>
        <translation>两者分开之处</translation>
    </message>
    <message>
        <source>Conversation beside</source>
        <translation>旁边的对话</translation>
    </message>
    <message>
        <source>Beside</source>
        <translation>旁边</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>互换</translation>
    </message>
    <message>
        <source>Swap the two: go on writing in this one</source>
        <translation>互换两者：在这一个里继续写</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the conversation beside (Esc)</source>
        <translation>关闭旁边的对话 (Esc)</translation>
    </message>
</context>
<context>
    <name>vitrine::ChatBranches</name>
    <message>
        <source>a broken call</source>
        <translation>损坏的调用</translation>
    </message>
    <message>
        <source>You: %1</source>
        <translation>你：%1</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>模型：%1</translation>
    </message>
    <message>
        <source>Instructions: %1</source>
        <translation>指示：%1</translation>
    </message>
    <message>
        <source>Tool: %1</source>
        <translation>工具：%1</translation>
    </message>
    <message>
        <source>Branches</source>
        <translation>分支</translation>
    </message>
</context>
<context>
    <name>vitrine::ChatController</name>
    <message>
        <source>edited</source>
        <translation>已编辑</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>%1, while it was thinking</source>
        <translation>%1，停在思考途中</translation>
    </message>
    <message>
        <source>The context is full</source>
        <translation>上下文已满</translation>
    </message>
    <message numerus="yes">
        <source>Stopped at %n token(s)</source>
        <translation><numerusform>在 %n 个 token 处停止</numerusform></translation>
    </message>
    <message>
        <source>Left out: the model does not read this any more</source>
        <translation>已略去：模型不再读它</translation>
    </message>
    <message>
        <source>Tell me a story about a fox and a lighthouse.</source>
        <translation>Tell me a story about a fox and a lighthouse.</translation>
    </message>
    <message>
        <source>What is a KV cache?</source>
        <translation>What is a KV cache?</translation>
    </message>
    <message>
        <source>Why does the scheduler preempt a request?</source>
        <translation>Why does the scheduler preempt a request?</translation>
    </message>
    <message>
        <source>What can you do?</source>
        <translation>What can you do?</translation>
    </message>
    <message>
        <source>Hello! Please tell me what a KV cache is, and why an engine keeps one.</source>
        <translation>Hello! Please tell me what a KV cache is, and why an engine keeps one.</translation>
    </message>
    <message>
        <source>Tell me a short story about a fox and a lighthouse.</source>
        <translation>Tell me a short story about a fox and a lighthouse.</translation>
    </message>
    <message>
        <source>Hello! Who are you?</source>
        <translation>Hello! Who are you?</translation>
    </message>
    <message>
        <source>No message stands above this answer, so there is nothing to answer again.</source>
        <translation>这个回答上方没有消息，因此没有可以重新回答的内容。</translation>
    </message>
    <message>
        <source>Write a message below it.</source>
        <translation>在它下方写一条消息。</translation>
    </message>
    <message>
        <source>And then?</source>
        <translation>然后呢？</translation>
    </message>
    <message>
        <source>Not even the newest messages of the chat fit in the context beside a summary.</source>
        <translation>即使只放聊天中最新的消息，加上摘要也放不进上下文。</translation>
    </message>
    <message>
        <source>Shorten the answers in the sampler, or give the machine more blocks.</source>
        <translation>在采样器中缩短回答，或给机器更多的块。</translation>
    </message>
    <message>
        <source>Summarise our conversation, from the question %1 on, so that we can go on from it in a new chat. The messages before it do not fit in the context.</source>
        <translation>总结我们从提问 %1 开始的对话，以便在新聊天中接着谈。它之前的消息放不进上下文。</translation>
    </message>
    <message>
        <source>Summarise our conversation so far, so that we can go on from it in a new chat.</source>
        <translation>总结我们到目前为止的对话，以便在新聊天中接着谈。</translation>
    </message>
</context>
<context>
    <name>vitrine::ChatExport</name>
    <message>
        <source>Instructions</source>
        <translation>指示</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Result of %1</source>
        <translation>%1 的结果</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>失败：%1</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>The shown branch: %1 of %2 messages.</source>
        <translation>显示的分支：%2 条消息中的 %1 条。</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>The answer ended within this call.</source>
        <translation>回答在这个调用中途结束。</translation>
    </message>
    <message>
        <source>This call has a mistake, so it has no result.</source>
        <translation>这个调用有错误，因此没有结果。</translation>
    </message>
</context>
<context>
    <name>vitrine::ChatFiles</name>
    <message>
        <source>The message was not sent: a file that goes with it is still being read.</source>
        <translation>消息未发送：随附的一个文件仍在读取。</translation>
    </message>
    <message>
        <source>Send the message again when the file is listed above the input.</source>
        <translation>等文件列在输入框上方后再次发送消息。</translation>
    </message>
    <message numerus="yes">
        <source>%1 has %Ln token(s). The KV memory has room for %2, other files of the message included.</source>
        <translation><numerusform>%1 有 %Ln 个 token。KV 内存可容纳 %2，包括消息的其他文件。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 has %Ln token(s). The context of this model has room for %2, other files of the message included.</source>
        <translation><numerusform>%1 有 %Ln 个 token。该模型的上下文可容纳 %2，包括消息的其他文件。</numerusform></translation>
    </message>
    <message>
        <source>Give the machine more KV blocks, or attach a shorter file.</source>
        <translation>给机器更多的 KV 块，或附上更短的文件。</translation>
    </message>
    <message>
        <source>Attach a shorter file, or ask a model with a larger context.</source>
        <translation>附上更短的文件，或询问上下文更大的模型。</translation>
    </message>
</context>
<context>
    <name>vitrine::ChatHistory</name>
    <message>
        <source>%1 (copy)</source>
        <translation>%1（副本）</translation>
    </message>
</context>
<context>
    <name>vitrine::ChatImporting</name>
    <message>
        <source>There is not enough memory to read %1.</source>
        <translation>内存不足，无法读取 %1。</translation>
    </message>
    <message>
        <source>Close other programs, then import it once more.</source>
        <translation>关闭其他程序，再导入一次。</translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) marked</source>
        <translation><numerusform>标记了 %n 张图片</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) marked</source>
        <translation><numerusform>标记了 %n 个文件</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n sound(s) or video(s) marked</source>
        <translation><numerusform>标记了 %n 个音频或视频</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) of tools marked</source>
        <translation><numerusform>标记了 %n 个工具请求</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n reference(s) written as links</source>
        <translation><numerusform>%n 个引用写成链接</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n hidden message(s) left out</source>
        <translation><numerusform>略去 %n 条隐藏消息</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n empty message(s) or chat(s) left out</source>
        <translation><numerusform>略去 %n 条空消息或空聊天</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n entry(s) of another kind left out</source>
        <translation><numerusform>略去 %n 个其他种类的条目</numerusform></translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1，%2：%3</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation><numerusform>%n 个聊天</numerusform></translation>
    </message>
    <message>
        <source>not read: %1</source>
        <translation>未读取：%1</translation>
    </message>
    <message>
        <source>Importing chats</source>
        <translation>正在导入聊天</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) were imported.</source>
        <translation><numerusform>已导入 %n 个聊天。</numerusform></translation>
    </message>
</context>
<context>
    <name>vitrine::ChatListModel</name>
    <message>
        <source>%1, draft</source>
        <translation>%1，草稿</translation>
    </message>
    <message>
        <source>%1, being answered</source>
        <translation>%1，正在回答</translation>
    </message>
    <message>
        <source>%1, new answer</source>
        <translation>%1，新回答</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>已置顶</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新聊天</translation>
    </message>
    <message>
        <source>%1, archived</source>
        <translation>%1，已归档</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>In the last week</source>
        <translation>最近一周</translation>
    </message>
    <message>
        <source>In the last month</source>
        <translation>最近一个月</translation>
    </message>
</context>
<context>
    <name>vitrine::ChatListView</name>
    <message>
        <source>Chats</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>List of chats</source>
        <translation>聊天列表</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新聊天</translation>
    </message>
    <message>
        <source>Start a new chat (Ctrl+N); this one stays in the list</source>
        <translation>开始新聊天 (Ctrl+N)；当前聊天留在列表中</translation>
    </message>
    <message>
        <source>Search all chats</source>
        <translation>搜索所有聊天</translation>
    </message>
    <message>
        <source>Undo what was deleted, or brought back, last (Ctrl+Z)</source>
        <translation>撤销上一次的删除或找回 (Ctrl+Z)</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Show the chats that were put away</source>
        <translation>显示已收起的聊天</translation>
    </message>
    <message>
        <source>Nothing was found. Every word must stand in one message.</source>
        <translation>什么也没找到。每个词都须出现在同一条消息中。</translation>
    </message>
    <message>
        <source>No chat was put away yet.</source>
        <translation>还没有收起任何聊天。</translation>
    </message>
    <message>
        <source>What you write stays here, on this computer.</source>
        <translation>你写的内容留在这里，留在这台计算机上。</translation>
    </message>
    <message>
        <source>What you write is not kept: it is in memory, and ends with the program.</source>
        <translation>你写的内容不会保留：它在内存中，随程序结束而消失。</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Export %n chat(s)…</source>
        <translation><numerusform>导出 %n 个聊天(&amp;E)…</numerusform></translation>
    </message>
    <message>
        <source>&amp;Import chats…</source>
        <translation>导入聊天(&amp;I)…</translation>
    </message>
</context>
<context>
    <name>vitrine::ChatMenu</name>
    <message>
        <source>&amp;Chat</source>
        <translation>聊天(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;New chat</source>
        <translation>新聊天(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Search all chats</source>
        <translation>搜索所有聊天(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Find in this chat</source>
        <translation>在本聊天中查找(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Attach a file…</source>
        <translation>附上文件(&amp;A)…</translation>
    </message>
    <message>
        <source>Attach text files</source>
        <translation>附上文本文件</translation>
    </message>
    <message>
        <source>The text of a file goes in front of the question</source>
        <translation>文件的文本放在提问之前</translation>
    </message>
    <message>
        <source>&amp;This chat…</source>
        <translation>本聊天(&amp;T)…</translation>
    </message>
    <message>
        <source>Its system prompt, its stop strings, its sampling, and how the model is asked</source>
        <translation>它的系统提示词、停止字符串、采样，以及如何询问模型</translation>
    </message>
    <message>
        <source>The prompt as to&amp;kens</source>
        <translation>提示词的 token(&amp;K)</translation>
    </message>
    <message>
        <source>This chat as the model reads it, and the template that makes it so</source>
        <translation>模型所读到的这段聊天，以及由此生成它的模板</translation>
    </message>
    <message>
        <source>Show the &amp;list of chats</source>
        <translation>显示聊天列表(&amp;L)</translation>
    </message>
    <message>
        <source>Let the model name new chats</source>
        <translation>让模型为新聊天命名</translation>
    </message>
    <message>
        <source>One short request after the first answer; any other request goes before it</source>
        <translation>第一个回答之后发一个简短的请求；其他任何请求都排在它前面</translation>
    </message>
    <message>
        <source>&amp;Rename, archive, delete</source>
        <translation>重命名、归档、删除(&amp;R)</translation>
    </message>
    <message>
        <source>The last ans&amp;wer</source>
        <translation>最后的回答(&amp;W)</translation>
    </message>
    <message>
        <source>Copy the chat as &amp;Markdown</source>
        <translation>把聊天复制为 Markdown(&amp;M)</translation>
    </message>
    <message>
        <source>Copy the chat as &amp;plain text</source>
        <translation>把聊天复制为纯文本(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Import chats…</source>
        <translation>导入聊天(&amp;I)…</translation>
    </message>
    <message>
        <source>From the export of ChatGPT, Claude, Jan, llama.cpp, LM Studio or Open WebUI, or from ours</source>
        <translation>来自 ChatGPT、Claude、Jan、llama.cpp、LM Studio 或 Open WebUI 的导出，或我们自己的导出</translation>
    </message>
    <message>
        <source>&amp;Export this chat…</source>
        <translation>导出本聊天(&amp;E)…</translation>
    </message>
    <message>
        <source>Undo what was deleted, or brought back, last</source>
        <translation>撤销上一次的删除或找回</translation>
    </message>
    <message>
        <source>&amp;Deleted chats…</source>
        <translation>已删除的聊天(&amp;D)…</translation>
    </message>
    <message>
        <source>Look at them, and bring them back</source>
        <translation>查看它们，并找回</translation>
    </message>
    <message>
        <source>Deleted messa&amp;ges…</source>
        <translation>已删除的消息(&amp;G)…</translation>
    </message>
    <message>
        <source>Look at what was deleted in this chat, and bring it back</source>
        <translation>查看本聊天中删除了什么，并找回</translation>
    </message>
    <message>
        <source>Chats (%1);;All files (*)</source>
        <translation>聊天 (%1);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation>导入聊天</translation>
    </message>
    <message>
        <source>Export this chat</source>
        <translation>导出本聊天</translation>
    </message>
    <message>
        <source>Markdown (*.md);;Web page (*.html);;All branches, for this program (*.json);;Its run, computed again, as a trace (*.vitrine)</source>
        <translation>Markdown (*.md);;网页 (*.html);;所有分支，供本程序使用 (*.json);;重新计算的运行，存为轨迹 (*.vitrine)</translation>
    </message>
    <message>
        <source>The chat is exported to %1</source>
        <translation>聊天已导出到 %1</translation>
    </message>
    <message numerus="yes">
        <source>A folder for %n Markdown file(s)</source>
        <translation><numerusform>存放 %n 个 Markdown 文件的文件夹</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) exported to %1</source>
        <translation><numerusform>%n 个聊天已导出到 %1</numerusform></translation>
    </message>
</context>
<context>
    <name>vitrine::ChatModel</name>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Result of %1</source>
        <translation>%1 的结果</translation>
    </message>
    <message>
        <source>Sent to the engine</source>
        <translation>已发送到引擎</translation>
    </message>
    <message>
        <source>Not yet sent at this step</source>
        <translation>在这一步尚未发送</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Stopped · %1</source>
        <translation>已停止 · %1</translation>
    </message>
    <message>
        <source>Waiting in the queue</source>
        <translation>在队列中等待</translation>
    </message>
    <message>
        <source>Preempted, waits to resume</source>
        <translation>被抢占，等待恢复</translation>
    </message>
    <message>
        <source>Interrupted: the engine was loaded again</source>
        <translation>已中断：引擎被重新加载</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>You: %1</source>
        <translation>你：%1</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>模型：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation><numerusform>%n 个 token</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) more, %1 in all</source>
        <translation><numerusform>又 %n 个 token，共 %1 个</numerusform></translation>
    </message>
    <message>
        <source>Reading the prompt: %1 of %2 tokens</source>
        <translation>正在读提示词：%1 / %2 个 token</translation>
    </message>
    <message>
        <source>%1 from the cache</source>
        <translation>%1 来自缓存</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>思考中…</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>书写中…</translation>
    </message>
    <message>
        <source>first after %1</source>
        <translation>%1 后出现首个</translation>
    </message>
</context>
<context>
    <name>vitrine::ChatNamer</name>
    <message>
        <source>Name this conversation in at most six words. Answer with the name alone.</source>
        <translation>用最多六个词为这段对话命名。只回答名称。</translation>
    </message>
</context>
<context>
    <name>vitrine::ChatSettingsDialog</name>
    <message>
        <source>This chat</source>
        <translation>本聊天</translation>
    </message>
    <message>
        <source>&amp;Prompt</source>
        <translation>提示词(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Answer</source>
        <translation>回答(&amp;A)</translation>
    </message>
    <message>
        <source>Before it can be used</source>
        <translation>使用前须改正</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>For example: Answer in one sentence.</source>
        <translation>例如：用一句话回答。</translation>
    </message>
    <message>
        <source>Stop strings</source>
        <translation>停止字符串</translation>
    </message>
    <message>
        <source>One a line. An answer ends before the first of them. \n is a new line, \t a tab, \s a blank at an end, \\ a backslash.</source>
        <translation>每行一个。回答在其中最先出现者之前结束。\n 是换行，\t 是制表符，\s 是末尾的空格，\\ 是反斜杠。</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Functions that the model may call, as JSON</source>
        <translation>模型可以调用的函数，JSON 格式</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Write two example tools here, in place of the present text</source>
        <translation>在这里写入两个示例工具，替换现有文本</translation>
    </message>
    <message>
        <source>Without tools, an answer is text alone. Nothing is ever run.</source>
        <translation>没有工具时，回答只有文本。任何时候都不会运行任何东西。</translation>
    </message>
    <message numerus="yes">
        <source>%n tool(s): %1</source>
        <translation><numerusform>%n 个工具：%1</numerusform></translation>
    </message>
    <message>
        <source>The tools on the page Prompt have a mistake.</source>
        <translation>“提示词”页上的工具有错误。</translation>
    </message>
    <message>
        <source>The form on the page Answer has a mistake, or is empty.</source>
        <translation>“回答”页上的形式有错误，或为空。</translation>
    </message>
    <message>
        <source>How the model is asked</source>
        <translation>如何询问模型</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>As set in the window</source>
        <translation>按窗口的设置</translation>
    </message>
    <message>
        <source>Think before the answer</source>
        <translation>回答前先思考</translation>
    </message>
    <message>
        <source>Answer at once</source>
        <translation>直接回答</translation>
    </message>
    <message>
        <source>For models whose chat template can turn thinking on and off, such as Qwen3</source>
        <translation>适用于聊天模板可以开关思考的模型，例如 Qwen3</translation>
    </message>
    <message>
        <source>Thinking:</source>
        <translation>思考：</translation>
    </message>
    <message>
        <source>Effort</source>
        <translation>思考力度</translation>
    </message>
    <message>
        <source>As the template has it</source>
        <translation>按模板的设定</translation>
    </message>
    <message>
        <source>Minimal</source>
        <translation>极低</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>High</source>
        <translation>高</translation>
    </message>
    <message>
        <source>For models whose chat template can say how much they think, such as gpt-oss</source>
        <translation>适用于聊天模板可以指定思考多少的模型，例如 gpt-oss</translation>
    </message>
    <message>
        <source>Effort:</source>
        <translation>思考力度：</translation>
    </message>
    <message>
        <source>Where the model's chat template refuses the chat as it is</source>
        <translation>模型的聊天模板拒绝当前聊天之处</translation>
    </message>
    <message>
        <source>Special tokens that I type count as such</source>
        <translation>我输入的特殊 token 按特殊 token 处理</translation>
    </message>
    <message>
        <source>Otherwise they are text to the model. With this, a typed token can end a message and begin another one: that is what prompt injection lives on.</source>
        <translation>否则它们对模型只是文本。启用后，输入的 token 可以结束一条消息并开始另一条：提示词注入正是由此而来。</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>%1 (not known here)</source>
        <translation>%1（此处不认识）</translation>
    </message>
    <message>
        <source>Empty: no system prompt is sent.</source>
        <translation>空：不发送系统提示词。</translation>
    </message>
    <message>
        <source>It goes before each question of this chat.</source>
        <translation>它放在本聊天的每个提问之前。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s), before each question of this chat.</source>
        <translation><numerusform>%Ln 个 token，在本聊天的每个提问之前。</numerusform></translation>
    </message>
    <message>
        <source>The sampler says how tokens are chosen.</source>
        <translation>采样器决定如何选择 token。</translation>
    </message>
</context>
<context>
    <name>vitrine::ChatSettingsLine</name>
    <message>
        <source>Settings of this chat</source>
        <translation>本聊天的设置</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>更改…</translation>
    </message>
    <message>
        <source>Change what this chat asks of its answers</source>
        <translation>更改本聊天对回答的要求</translation>
    </message>
    <message>
        <source>This chat: %1</source>
        <translation>本聊天：%1</translation>
    </message>
</context>
<context>
    <name>vitrine::ChatTrace</name>
    <message>
        <source>No model is open that could compute the chat's run again.</source>
        <translation>没有打开可以重新计算该聊天运行的模型。</translation>
    </message>
    <message>
        <source>Open the model that gave the answers, then export the trace again.</source>
        <translation>打开给出这些回答的模型，再导出轨迹。</translation>
    </message>
    <message>
        <source>There is not enough memory to load the model once more.</source>
        <translation>内存不足，无法再次加载模型。</translation>
    </message>
    <message>
        <source>Close other programs, or open the model with fewer KV blocks.</source>
        <translation>关闭其他程序，或用更少的 KV 块打开模型。</translation>
    </message>
    <message>
        <source>Loading the model once more</source>
        <translation>正在再次加载模型</translation>
    </message>
    <message>
        <source>Computing answer %1 of %2 again</source>
        <translation>正在重算回答 %1 / %2</translation>
    </message>
    <message>
        <source>“Open a trace” in the menu Run shows it step by step.</source>
        <translation>“运行”菜单中的“打开轨迹”可逐步显示它。</translation>
    </message>
    <message>
        <source>%1 has the run of this chat, token for token the same.</source>
        <translation>%1 含有本聊天的运行，每个 token 都相同。</translation>
    </message>
    <message>
        <source>%1 has a run of this chat, but answer %2 differs in it from token %3 on: the machine is not the same as then.</source>
        <translation>%1 含有本聊天的一次运行，但其中回答 %2 从第 %3 个 token 起不同：机器与当时不同。</translation>
    </message>
</context>
<context>
    <name>vitrine::ChatView</name>
    <message>
        <source>Chat</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Your message</source>
        <translation>你的消息</translation>
    </message>
    <message>
        <source>Enter sends, Shift and Enter start a new line, Escape stops the answer</source>
        <translation>Enter 发送，Shift+Enter 换行，Esc 停止回答</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Send next</source>
        <translation>随后发送</translation>
    </message>
    <message>
        <source>Send the message when the answer ends (Enter)</source>
        <translation>回答结束时发送消息 (Enter)</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop the answer (Esc)</source>
        <translation>停止回答 (Esc)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Leave the message as it is (Esc)</source>
        <translation>让消息保持原样 (Esc)</translation>
    </message>
    <message>
        <source>You are changing an answer of the model. The old one stays.</source>
        <translation>你正在修改模型的一个回答。原来的会保留。</translation>
    </message>
    <message>
        <source>You are changing the result of a tool. The old one and its answers stay.</source>
        <translation>你正在修改工具的结果。原来的结果及其回答会保留。</translation>
    </message>
    <message>
        <source>You are changing an earlier question. The old one and its answers stay.</source>
        <translation>你正在修改较早的提问。原来的提问及其回答会保留。</translation>
    </message>
    <message>
        <source>Branches</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Show the branches of this chat as a tree</source>
        <translation>以树的形式显示本聊天的分支</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新聊天</translation>
    </message>
    <message>
        <source>Start a new conversation</source>
        <translation>开始新的对话</translation>
    </message>
    <message>
        <source>What is in this file?</source>
        <translation>这个文件里有什么？</translation>
    </message>
    <message>
        <source>What is in these files?</source>
        <translation>这些文件里有什么？</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Keep the answer as you have changed it (Enter); the model is not asked</source>
        <translation>按你的修改保留回答 (Enter)；不询问模型</translation>
    </message>
    <message>
        <source>Send the message (Enter)</source>
        <translation>发送消息 (Enter)</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>写一条消息</translation>
    </message>
</context>
<context>
    <name>vitrine::Chats</name>
    <message>
        <source>Files, and settings of the chat</source>
        <translation>文件，以及聊天的设置</translation>
    </message>
    <message>
        <source>A&amp;gain</source>
        <translation>重答(&amp;G)</translation>
    </message>
    <message>
        <source>Edit the &amp;question</source>
        <translation>编辑提问(&amp;Q)</translation>
    </message>
</context>
<context>
    <name>vitrine::CodeBoxes</name>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Copy code: %1</source>
        <translation>复制代码：%1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy this code</source>
        <translation>复制这段代码</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Scroll the code sideways</source>
        <translation>横向滚动代码</translation>
    </message>
</context>
<context>
    <name>vitrine::CommandList</name>
    <message>
        <source>chosen</source>
        <translation>已选中</translation>
    </message>
    <message>
        <source>not available now</source>
        <translation>现在不可用</translation>
    </message>
</context>
<context>
    <name>vitrine::CommandPalette</name>
    <message>
        <source>No command or chat has these letters.</source>
        <translation>没有命令或聊天含有这些字母。</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>查找命令</translation>
    </message>
    <message>
        <source>Type a command, a scenario or a chat</source>
        <translation>输入命令、场景或聊天</translation>
    </message>
    <message>
        <source>Commands and chats</source>
        <translation>命令和聊天</translation>
    </message>
    <message>
        <source>%1, %2 of %3</source>
        <translation>%1，%2 / %3</translation>
    </message>
</context>
<context>
    <name>vitrine::CompareAxis</name>
    <message>
        <source>Steps of both machines</source>
        <translation>两台机器的步</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Each step of either machine adds a bar here.</source>
        <translation>任一机器的每一步在这里加一个条。</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1: %2 prefill and %3 decode tokens, %4 blocks in use</source>
        <translation>%1：%2 个预填充和 %3 个解码 token，%4 个块使用中</translation>
    </message>
</context>
<context>
    <name>vitrine::CompareAxisModel</name>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>1: prefill tokens</source>
        <translation>1：预填充 token</translation>
    </message>
    <message>
        <source>1: decode tokens</source>
        <translation>1：解码 token</translation>
    </message>
    <message>
        <source>1: blocks in use</source>
        <translation>1：使用中的块</translation>
    </message>
    <message>
        <source>2: prefill tokens</source>
        <translation>2：预填充 token</translation>
    </message>
    <message>
        <source>2: decode tokens</source>
        <translation>2：解码 token</translation>
    </message>
    <message>
        <source>2: blocks in use</source>
        <translation>2：使用中的块</translation>
    </message>
</context>
<context>
    <name>vitrine::CompareSide</name>
    <message>
        <source>Machine %1</source>
        <translation>机器 %1</translation>
    </message>
    <message>
        <source>Step of machine %1</source>
        <translation>机器 %1 的步</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>step %1, at its end</source>
        <translation>第 %1 步，结束时</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
</context>
<context>
    <name>vitrine::CompareWindow</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Step of both machines</source>
        <translation>两台机器的步</translation>
    </message>
    <message>
        <source>Whether the answers are the same</source>
        <translation>回答是否相同</translation>
    </message>
    <message>
        <source>What is changed</source>
        <translation>改变了什么</translation>
    </message>
    <message>
        <source>Step both machines: what differs stands here.</source>
        <translation>让两台机器单步：不同之处显示在这里。</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Tokens of each step</source>
        <translation>每一步的 token</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>The scenario that both machines play</source>
        <translation>两台机器都播放的场景</translation>
    </message>
    <message>
        <source>What the second machine has otherwise</source>
        <translation>第二台机器的不同之处</translation>
    </message>
    <message>
        <source>⟲ Restart</source>
        <translation>⟲ 重新开始</translation>
    </message>
    <message>
        <source>Both machines from their beginning</source>
        <translation>两台机器都从头开始</translation>
    </message>
    <message>
        <source>◀ Back</source>
        <translation>◀ 后退</translation>
    </message>
    <message>
        <source>One step back in both</source>
        <translation>两台都后退一步</translation>
    </message>
    <message>
        <source>▶| Step both</source>
        <translation>▶| 同时单步</translation>
    </message>
    <message>
        <source>One step of both machines</source>
        <translation>两台机器各走一步</translation>
    </message>
    <message>
        <source>▶ Run both</source>
        <translation>▶ 同时运行</translation>
    </message>
    <message>
        <source>Run both machines, or pause them</source>
        <translation>运行两台机器，或暂停它们</translation>
    </message>
    <message>
        <source>In step</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>While they run, a machine waits for the other one after each step; else each runs at its own speed</source>
        <translation>运行时，每一步之后机器都等待另一台；否则各按自己的速度运行</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>不同之处</translation>
    </message>
    <message>
        <source>Figures of both machines</source>
        <translation>两台机器的数值</translation>
    </message>
    <message>
        <source>Predict machine 1</source>
        <translation>预测机器 1</translation>
    </message>
    <message>
        <source>Same requests, same seed. %1</source>
        <translation>请求相同，种子相同。%1</translation>
    </message>
    <message>
        <source>Other options…</source>
        <translation>其他选项…</translation>
    </message>
    <message>
        <source>⏸ Pause both</source>
        <translation>⏸ 同时暂停</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>RUNNING · %1</source>
        <translation>运行中 · %1</translation>
    </message>
    <message>
        <source>AT THE END · %1</source>
        <translation>已到末尾 · %1</translation>
    </message>
    <message>
        <source>PAUSED · %1</source>
        <translation>已暂停 · %1</translation>
    </message>
    <message>
        <source>%1: %2 → %3</source>
        <translation>%1：%2 → %3</translation>
    </message>
    <message>
        <source>no option differs</source>
        <translation>选项没有差异</translation>
    </message>
</context>
<context>
    <name>vitrine::ConnectDialog</name>
    <message>
        <source>Connect to a server</source>
        <translation>连接到服务器</translation>
    </message>
    <message>
        <source>A model that another program runs answers the chats of this window: vLLM, SGLang, llama.cpp, Ollama, or anything with OpenAI's API. Its machine is seen from outside alone, and this window's closes.</source>
        <translation>由另一个程序运行的模型来回答本窗口的聊天：vLLM、SGLang、llama.cpp、Ollama，或任何提供 OpenAI API 的程序。它的机器只能从外部看，本窗口的机器会关闭。</translation>
    </message>
    <message>
        <source>Model of the server</source>
        <translation>服务器的模型</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Address of the server's KV events</source>
        <translation>服务器的 KV 事件地址</translation>
    </message>
    <message>
        <source>Where a vLLM or SGLang publishes the events of its KV cache (--kv-events-config): tcp://127.0.0.1:5557. With them its prefix cache is shown.</source>
        <translation>vLLM 或 SGLang 发布 KV 缓存事件的地址（--kv-events-config）：tcp://127.0.0.1:5557。有了这些事件就能显示它的前缀缓存。</translation>
    </message>
    <message>
        <source>Address where KV events are sent again</source>
        <translation>重新发送 KV 事件的地址</translation>
    </message>
    <message>
        <source>Its replay_endpoint: tcp://127.0.0.1:5558. It tells of blocks that are stored already, and fills gaps.</source>
        <translation>它的 replay_endpoint：tcp://127.0.0.1:5558。它会告知已存储的块，并补上缺口。</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>地址(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Key</source>
        <translation>密钥(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>KV &amp;events</source>
        <translation>KV 事件(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Replay</source>
        <translation>重发(&amp;R)</translation>
    </message>
    <message>
        <source>C&amp;onnect</source>
        <translation>连接(&amp;O)</translation>
    </message>
    <message>
        <source>%1 tells no models: %2.</source>
        <translation>%1 没有告知任何模型：%2。</translation>
    </message>
    <message>
        <source>This is no address of a server.</source>
        <translation>这不是服务器的地址。</translation>
    </message>
    <message>
        <source>Asking %1 for its models…</source>
        <translation>正在向 %1 询问其模型…</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n model(s)</source>
        <translation><numerusform>%1，%n 个模型</numerusform></translation>
    </message>
</context>
<context>
    <name>vitrine::ConnectedEngine</name>
    <message>
        <source>Batches of KV events were missed: %1.</source>
        <translation>漏掉了若干批 KV 事件：%1。</translation>
    </message>
    <message>
        <source>The prefix cache is shown as far as later events tell of it.</source>
        <translation>前缀缓存只显示到后续事件所告知的程度。</translation>
    </message>
    <message>
        <source>the answer ended before the server said so</source>
        <translation>服务器尚未说明结束，回答就中断了</translation>
    </message>
    <message>
        <source>%1 tells no probabilities of tokens.</source>
        <translation>%1 不告知 token 的概率。</translation>
    </message>
    <message>
        <source>Answers are shown without them.</source>
        <translation>显示回答时不带概率。</translation>
    </message>
    <message>
        <source>%1 did not finish the answer: %2.</source>
        <translation>%1 没有完成回答：%2。</translation>
    </message>
    <message>
        <source>What had come of it stays in the chat.</source>
        <translation>已得到的部分留在聊天中。</translation>
    </message>
    <message>
        <source>Not known to %1, and not sent: %2.</source>
        <translation>%1 不认识，因此未发送：%2。</translation>
    </message>
    <message>
        <source>Its answers are drawn without.</source>
        <translation>它的回答在没有这些选项的情况下抽取。</translation>
    </message>
</context>
<context>
    <name>vitrine::ContextLine</name>
    <message>
        <source>Room in the context</source>
        <translation>上下文中的空间</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Let the model read these messages again</source>
        <translation>让模型重新读这些消息</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>Leave everything as it is</source>
        <translation>一切保持原样</translation>
    </message>
    <message>
        <source>Drop the oldest</source>
        <translation>去掉最早的</translation>
    </message>
    <message>
        <source>The model no longer reads the oldest messages</source>
        <translation>模型不再读最早的消息</translation>
    </message>
    <message>
        <source>Keep the beginning and the end</source>
        <translation>保留开头和结尾</translation>
    </message>
    <message>
        <source>The system prompt, the first question with its answer and the newest messages stay</source>
        <translation>保留系统提示词、第一个提问及其回答，以及最新的消息</translation>
    </message>
    <message>
        <source>Start anew with a summary</source>
        <translation>带摘要重新开始</translation>
    </message>
    <message>
        <source>The model writes a summary of this chat into a new one</source>
        <translation>模型为本聊天写一份摘要，放入新聊天</translation>
    </message>
    <message>
        <source>In a new chat, whose question says from where on. This one stays as it is.</source>
        <translation>在新聊天中进行，其提问会说明从哪里接着谈。当前聊天保持原样。</translation>
    </message>
    <message>
        <source>The context is full, and the message was not sent: with room for an answer, the conversation of %1 tokens is too long for %2. Which part may go?</source>
        <translation>上下文已满，消息未发送：要为回答留出空间，%1 个 token 的对话对 %2 来说太长。可以去掉哪一部分？</translation>
    </message>
    <message>
        <source>The context is full: for another message with room for an answer, the conversation of %1 tokens is too long for %2. Which part may go?</source>
        <translation>上下文已满：要再发一条消息并为回答留出空间，%1 个 token 的对话对 %2 来说太长。可以去掉哪一部分？</translation>
    </message>
    <message>
        <source>The model no longer reads: %1</source>
        <translation>模型不再读：%1</translation>
    </message>
    <message>
        <source>Goes: %1</source>
        <translation>将去掉：%1</translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n would do now; with more, the next turns find the rest in the cache</source>
        <translation><numerusform>%1 · 现在去掉 %n 个就够；多去掉一些，之后的轮次就能在缓存中找到其余部分</numerusform></translation>
    </message>
    <message>
        <source>, </source>
        <comment>between questions</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>%1, with the answers</source>
        <translation>%1，连同回答</translation>
    </message>
    <message>
        <source>%1 and %2 more, with the answers</source>
        <translation>%1 以及另外 %2 个，连同回答</translation>
    </message>
</context>
<context>
    <name>vitrine::ContextMeter</name>
    <message>
        <source>System message</source>
        <translation>系统消息</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Being typed (not yet sent)</source>
        <translation>正在输入（尚未发送）</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>How much of the context is in use.
%1</source>
        <translation>上下文的使用量。
%1</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation><numerusform>%n 个 token</numerusform></translation>
    </message>
    <message>
        <source>%1 of %2 tokens of KV memory</source>
        <translation>KV 内存的 %2 个 token 中的 %1 个</translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation>%1 / %2 个 token</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation><numerusform>%n 个块</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) cached</source>
        <translation><numerusform>%n 个块已缓存</numerusform></translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>约 %1</translation>
    </message>
    <message>
        <source>%1 left out</source>
        <translation>已略去 %1</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1：%2，%3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Free: %1</source>
        <translation>空闲：%1</translation>
    </message>
    <message>
        <source>The KV memory holds %1 tokens; the model's context has %2.</source>
        <translation>KV 内存可容纳 %1 个 token；模型的上下文有 %2 个。</translation>
    </message>
    <message>
        <source>The limit is the model's context.</source>
        <translation>上限是模型的上下文。</translation>
    </message>
    <message numerus="yes">
        <source>No sequence holds it now. %n block(s) of it are still cached: the next question need not compute them again.</source>
        <translation><numerusform>现在没有序列持有它。其中 %n 个块仍已缓存：下一个提问无需重算它们。</numerusform></translation>
    </message>
    <message>
        <source>No sequence holds it now: the next question computes it again.</source>
        <translation>现在没有序列持有它：下一个提问要重算它。</translation>
    </message>
    <message>
        <source>Left out of the conversation: %1</source>
        <translation>对话中已略去：%1</translation>
    </message>
</context>
<context>
    <name>vitrine::ContrastModel</name>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>1</source>
        <translation>1</translation>
    </message>
    <message>
        <source>The first machine</source>
        <translation>第一台机器</translation>
    </message>
    <message>
        <source>2</source>
        <translation>2</translation>
    </message>
    <message>
        <source>The second machine</source>
        <translation>第二台机器</translation>
    </message>
    <message>
        <source>2 : 1</source>
        <translation>2 : 1</translation>
    </message>
    <message>
        <source>The second machine's figure divided by the first one's</source>
        <translation>第二台机器的数值除以第一台的数值</translation>
    </message>
    <message>
        <source>1 is better.</source>
        <translation>1 更好。</translation>
    </message>
    <message>
        <source>2 is better.</source>
        <translation>2 更好。</translation>
    </message>
</context>
<context>
    <name>vitrine::DataTableView</name>
    <message>
        <source>&amp;Copy as CSV</source>
        <translation>复制为 CSV(&amp;C)</translation>
    </message>
</context>
<context>
    <name>vitrine::DeletedChatsDialog</name>
    <message>
        <source>Deleted chats</source>
        <translation>已删除的聊天</translation>
    </message>
    <message>
        <source>Messages of the deleted chat</source>
        <translation>已删除聊天的消息</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新聊天</translation>
    </message>
    <message numerus="yes">
        <source>There is no deleted chat. A chat that you delete can be brought back for %n day(s).</source>
        <translation><numerusform>没有已删除的聊天。删除的聊天在 %n 天内可以找回。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>A deleted chat can be brought back for %n day(s). Then it goes for good.</source>
        <translation><numerusform>删除的聊天在 %n 天内可以找回，之后彻底消失。</numerusform></translation>
    </message>
</context>
<context>
    <name>vitrine::DeletedDialog</name>
    <message>
        <source>&amp;Bring back</source>
        <translation>找回(&amp;B)</translation>
    </message>
    <message>
        <source>Deleted %1, kept until %2</source>
        <translation>删除于 %1，保留到 %2</translation>
    </message>
</context>
<context>
    <name>vitrine::DeletedMessagesDialog</name>
    <message>
        <source>A message without words</source>
        <translation>没有文字的消息</translation>
    </message>
    <message>
        <source>Deleted messages</source>
        <translation>已删除的消息</translation>
    </message>
    <message>
        <source>What was deleted</source>
        <translation>删除的内容</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation><numerusform>%n 条消息</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>There is no deleted message in this chat. A message that you delete can be brought back for %n day(s).</source>
        <translation><numerusform>本聊天中没有已删除的消息。删除的消息在 %n 天内可以找回。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>What was deleted in this chat can be brought back for %n day(s). Then it goes for good.</source>
        <translation><numerusform>本聊天中删除的内容在 %n 天内可以找回，之后彻底消失。</numerusform></translation>
    </message>
</context>
<context>
    <name>vitrine::Desk</name>
    <message>
        <source>&amp;Rename</source>
        <translation>重命名(&amp;R)</translation>
    </message>
    <message>
        <source>Un&amp;pin</source>
        <translation>取消置顶(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Pin to the top</source>
        <translation>置顶(&amp;P)</translation>
    </message>
    <message>
        <source>D&amp;uplicate</source>
        <translation>创建副本(&amp;U)</translation>
    </message>
    <message>
        <source>Take out of the &amp;archive</source>
        <translation>移出归档(&amp;A)</translation>
    </message>
    <message>
        <source>Put into the &amp;archive</source>
        <translation>归档(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Delete %n chat(s)</source>
        <translation><numerusform>删除 %n 个聊天(&amp;D)</numerusform></translation>
    </message>
    <message>
        <source>Undo delete</source>
        <translation>撤销删除</translation>
    </message>
    <message numerus="yes">
        <source>Undo bringing back: %n message(s)</source>
        <translation><numerusform>撤销找回：%n 条消息</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Undo delete: %n message(s)</source>
        <translation><numerusform>撤销删除：%n 条消息</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Undo delete: %n chat(s)</source>
        <translation><numerusform>撤销删除：%n 个聊天</numerusform></translation>
    </message>
    <message>
        <source>&amp;Delete this version</source>
        <translation>删除这个版本(&amp;D)</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Delete this version and what follows: %n message(s)</source>
        <translation><numerusform>删除这个版本及其后的内容：%n 条消息(&amp;D)</numerusform></translation>
    </message>
    <message>
        <source>&amp;Delete this message</source>
        <translation>删除这条消息(&amp;D)</translation>
    </message>
    <message>
        <source>Delete &amp;only this message</source>
        <translation>只删除这条消息(&amp;O)</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Delete from here on: %n message(s)</source>
        <translation><numerusform>从这里起删除：%n 条消息(&amp;D)</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>&amp;Delete this branch: %n message(s)</source>
        <translation><numerusform>删除这个分支：%n 条消息(&amp;D)</numerusform></translation>
    </message>
</context>
<context>
    <name>vitrine::DeviceMenu</name>
    <message>
        <source>&amp;Compute on</source>
        <translation>计算设备(&amp;C)</translation>
    </message>
    <message>
        <source>Another device loads the model anew</source>
        <translation>换用其他设备会重新加载模型</translation>
    </message>
</context>
<context>
    <name>vitrine::DockTabs</name>
    <message>
        <source>Panels on top of each other</source>
        <translation>叠放的面板</translation>
    </message>
</context>
<context>
    <name>vitrine::DownloadWorker</name>
    <message>
        <source>The folder %1 cannot be made.</source>
        <translation>无法创建文件夹 %1。</translation>
    </message>
    <message>
        <source>Choose a folder that you may write to.</source>
        <translation>选择一个你有写入权限的文件夹。</translation>
    </message>
    <message>
        <source>Another download writes to %1.</source>
        <translation>另一个下载正在写入 %1。</translation>
    </message>
    <message>
        <source>Wait for it, or cancel it.</source>
        <translation>等它完成，或取消它。</translation>
    </message>
    <message>
        <source>%1 cannot be written to.</source>
        <translation>无法写入 %1。</translation>
    </message>
</context>
<context>
    <name>vitrine::DraftChoice</name>
    <message>
        <source>No model is open that %1 could draft for.</source>
        <translation>没有打开可以由 %1 起草的模型。</translation>
    </message>
    <message>
        <source>Open the larger model first, then choose the smaller one as its draft.</source>
        <translation>先打开较大的模型，再选择较小的作为它的草稿模型。</translation>
    </message>
    <message>
        <source>%1 has a vocabulary of %2 tokens, and %3 one of %4.</source>
        <translation>%1 的词表有 %2 个 token，%3 的词表有 %4 个。</translation>
    </message>
    <message>
        <source>A draft is made of the open model's own tokens: choose a smaller model of the same family.</source>
        <translation>草稿由已打开模型自己的 token 组成：选择同一系列中较小的模型。</translation>
    </message>
    <message>
        <source>%1 answers alone again.</source>
        <translation>%1 又独自回答了。</translation>
    </message>
    <message>
        <source>%1 drafts for %2.</source>
        <translation>%1 为 %2 起草。</translation>
    </message>
    <message>
        <source>The panel Speculation shows what it is worth. “Stop drafting” in the window of models takes it off.</source>
        <translation>“推测解码”面板显示它的收益。模型窗口中的“停止起草”可取下它。</translation>
    </message>
    <message>
        <source>Last time %1 drafted for %2.</source>
        <translation>上次由 %1 为 %2 起草。</translation>
    </message>
    <message>
        <source>It is loaded beside it, and changes no answer.</source>
        <translation>它与后者一起加载，不改变任何回答。</translation>
    </message>
    <message>
        <source>Use it again</source>
        <translation>再次使用</translation>
    </message>
    <message>
        <source>%1, which drafted for %2, is not there any more.</source>
        <translation>为 %2 起草的 %1 已不在了。</translation>
    </message>
    <message>
        <source>%1 answers alone. The window of models shows what else can draft.</source>
        <translation>%1 独自回答。模型窗口显示还有哪些模型可以起草。</translation>
    </message>
</context>
<context>
    <name>vitrine::EngineHost</name>
    <message>
        <source>%1 takes chats alone, and no prompt of tokens.</source>
        <translation>%1 只接受聊天，不接受 token 形式的提示词。</translation>
    </message>
    <message>
        <source>Open a model of your own for that.</source>
        <translation>为此打开你自己的模型。</translation>
    </message>
</context>
<context>
    <name>vitrine::EngineOptionsDialog</name>
    <message>
        <source>How the KV pool is sized</source>
        <translation>KV 池的大小如何确定</translation>
    </message>
    <message>
        <source>Devices that cannot be used</source>
        <translation>无法使用的设备</translation>
    </message>
    <message>
        <source>Machine options</source>
        <translation>机器选项</translation>
    </message>
    <message>
        <source>Options that contradict each other</source>
        <translation>相互矛盾的选项</translation>
    </message>
    <message>
        <source>The machine starts again with these options; requests that run now are dropped.</source>
        <translation>机器以这些选项重新启动；正在运行的请求会被丢弃。</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>重新启动</translation>
    </message>
    <message>
        <source>Machine options of “%1”</source>
        <translation>“%1”的机器选项</translation>
    </message>
    <message>
        <source>The scenario starts again with these options; your own options stay as they are.</source>
        <translation>场景以这些选项重新启动；你自己的选项保持不变。</translation>
    </message>
    <message>
        <source>Without a number of blocks or of bytes, the built-in model has %1 blocks. Another model has %2 of the memory that its weights leave free: Model → Models on this computer changes the part.</source>
        <translation>未指定块数或字节数时，内置模型有 %1 个块。其他模型占用其权重所剩空闲内存的 %2：模型 → 本机上的模型 可更改这一比例。</translation>
    </message>
    <message>
        <source>sized when a model is opened, as said above</source>
        <translation>打开模型时确定大小，如上所述</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Used when the scenario is played.</source>
        <translation>在播放该场景时使用。</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Go on from step %1 with other options</source>
        <translation>以其他选项从第 %1 步继续</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>The machine goes back to step %1 and runs on with these options. To change the others, resume from step 0.</source>
        <translation>机器回到第 %1 步，并以这些选项继续运行。要更改其他选项，从第 0 步恢复。</translation>
    </message>
    <message>
        <source>The run's requests come again, to a machine with these options.</source>
        <translation>这次运行的请求会重新到达，交给采用这些选项的机器。</translation>
    </message>
    <message>
        <source>These do not go together: %1 (%2).</source>
        <translation>这些选项不能并用：%1（%2）。</translation>
    </message>
</context>
<context>
    <name>vitrine::EngineWorker</name>
    <message>
        <source>This model has no tokenizer, so it cannot chat.</source>
        <translation>这个模型没有分词器，因此不能聊天。</translation>
    </message>
    <message>
        <source>A folder needs its tokenizer.json or tokenizer.model, a GGUF file its vocabulary.</source>
        <translation>文件夹需要它的 tokenizer.json 或 tokenizer.model，GGUF 文件需要它的词表。</translation>
    </message>
    <message>
        <source>There is not enough memory for this.</source>
        <translation>内存不足，无法完成。</translation>
    </message>
    <message>
        <source>Choose a smaller model or fewer KV blocks, or close other programs.</source>
        <translation>选择更小的模型或更少的 KV 块，或关闭其他程序。</translation>
    </message>
    <message>
        <source>This is a fault in Vitrine; please report it.</source>
        <translation>这是 Vitrine 的缺陷；请报告。</translation>
    </message>
</context>
<context>
    <name>vitrine::EventLogModel</name>
    <message>
        <source>Number</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
</context>
<context>
    <name>vitrine::EventLogView</name>
    <message>
        <source>Show or hide events of this kind</source>
        <translation>显示或隐藏这种事件</translation>
    </message>
    <message>
        <source>Search: evicted, block:7, request:B, step:12</source>
        <translation>搜索：evicted, block:7, request:B, step:12</translation>
    </message>
    <message>
        <source>Search the events</source>
        <translation>搜索事件</translation>
    </message>
    <message>
        <source>Words that the line contains, “block:7”, “request:B” or one of its answers “request:B2”, “step:12”</source>
        <translation>该行所含的词，“block:7”，“request:B”或其某个回答“request:B2”，“step:12”</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>No events yet, or the filter hides them.</source>
        <translation>还没有事件，或者被筛选条件隐藏了。</translation>
    </message>
    <message>
        <source>Events, one a line</source>
        <translation>事件，每行一个</translation>
    </message>
    <message>
        <source>Searching earlier events…</source>
        <translation>正在搜索较早的事件…</translation>
    </message>
    <message>
        <source>Show earlier events</source>
        <translation>显示较早的事件</translation>
    </message>
</context>
<context>
    <name>vitrine::ExitsModel</name>
    <message>
        <source>not a number</source>
        <translation>不是数</translation>
    </message>
    <message>
        <source>%1 model</source>
        <translation>%1 模型</translation>
    </message>
    <message>
        <source>0 embeddings</source>
        <translation>0 嵌入</translation>
    </message>
    <message>
        <source>%1 drafts</source>
        <translation>%1 起草</translation>
    </message>
    <message>
        <source>Behind “%1”, position %2:</source>
        <translation>在“%1”之后，位置 %2：</translation>
    </message>
    <message>
        <source>the model says</source>
        <translation>模型的预测</translation>
    </message>
    <message>
        <source>the embeddings alone would say</source>
        <translation>仅凭嵌入的预测</translation>
    </message>
    <message>
        <source>after layer %1 the model would say</source>
        <translation>若止于第 %1 层，模型的预测</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Norm of the hidden state: %1</source>
        <translation>隐藏状态的范数：%1</translation>
    </message>
    <message>
        <source>The sequence goes on with “%1”.</source>
        <translation>序列以“%1”继续。</translation>
    </message>
    <message>
        <source>Largest difference of the layer from libtorch's: %1</source>
        <translation>该层与 libtorch 结果的最大差异：%1</translation>
    </message>
    <message>
        <source>After layer</source>
        <translation>层之后</translation>
    </message>
</context>
<context>
    <name>vitrine::ExitsView</name>
    <message>
        <source>Prediction of each layer</source>
        <translation>每一层的预测</translation>
    </message>
    <message>
        <source>0 embeddings</source>
        <translation>0 嵌入</translation>
    </message>
    <message>
        <source>layer · norm</source>
        <translation>层 · 范数</translation>
    </message>
    <message>
        <source>layer · apart</source>
        <translation>层 · 差异</translation>
    </message>
</context>
<context>
    <name>vitrine::FigureModel</name>
    <message>
        <source>%1, %2: not measured</source>
        <translation>%1，%2：未测量</translation>
    </message>
    <message>
        <source>%1, %2: %3 %4</source>
        <translation>%1，%2：%3 %4</translation>
    </message>
    <message numerus="yes">
        <source>; from %1 to %2, measured %n time(s)</source>
        <translation><numerusform>；从 %1 到 %2，测量 %n 次</numerusform></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, least</source>
        <translation>%1，最小值</translation>
    </message>
    <message>
        <source>%1, most</source>
        <translation>%1，最大值</translation>
    </message>
</context>
<context>
    <name>vitrine::FigureView</name>
    <message>
        <source>This figure has no measured values.</source>
        <translation>这张图没有测量值。</translation>
    </message>
    <message>
        <source>↑ %1</source>
        <translation>↑ %1</translation>
    </message>
    <message>
        <source>%1 →</source>
        <translation>%1 →</translation>
    </message>
</context>
<context>
    <name>vitrine::FileChips</name>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 · %2 · %Ln token(s)</source>
        <translation><numerusform>%1 · %2 · %Ln 个 token</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%Ln byte(s)</source>
        <translation><numerusform>%Ln 字节</numerusform></translation>
    </message>
    <message>
        <source>Files that go with the message</source>
        <translation>随消息发送的文件</translation>
    </message>
    <message>
        <source>Do not send this file</source>
        <translation>不发送这个文件</translation>
    </message>
    <message>
        <source>Do not send %1</source>
        <translation>不发送 %1</translation>
    </message>
</context>
<context>
    <name>vitrine::FileDownload</name>
    <message>
        <source>%1 is there, and is another file than the hub's.</source>
        <translation>%1 已存在，而且不是 Hub 上的那个文件。</translation>
    </message>
    <message>
        <source>Move it out of the way, or choose another folder.</source>
        <translation>把它移开，或选择另一个文件夹。</translation>
    </message>
    <message>
        <source>The answer ended before the file</source>
        <translation>文件未传完，答复就结束了</translation>
    </message>
    <message>
        <source>The server cannot go on in the midst</source>
        <translation>服务器无法从中途继续</translation>
    </message>
    <message>
        <source>%1 came with a wrong checksum: its bytes are not those that the hub lists. They were removed.</source>
        <translation>%1 的校验和错误：它的字节与 Hub 所列的不同，已被移除。</translation>
    </message>
    <message>
        <source>List the files again, and download again.</source>
        <translation>重新列出文件，再次下载。</translation>
    </message>
    <message>
        <source>%1 has changed on the hub since its files were listed.</source>
        <translation>列出文件之后，%1 在 Hub 上已有改动。</translation>
    </message>
    <message>
        <source>List the files again.</source>
        <translation>重新列出文件。</translation>
    </message>
</context>
<context>
    <name>vitrine::FindBar</name>
    <message>
        <source>Find in this chat</source>
        <translation>在本聊天中查找</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>The hit before this one (Shift+Enter, Shift+F3)</source>
        <translation>上一个匹配 (Shift+Enter, Shift+F3)</translation>
    </message>
    <message>
        <source>The next hit (Enter, F3)</source>
        <translation>下一个匹配 (Enter, F3)</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>未找到</translation>
    </message>
</context>
<context>
    <name>vitrine::FoldButton</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>vitrine::FoldedFiles</name>
    <message>
        <source>Files of this question</source>
        <translation>这个提问的文件</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Show the text of this file</source>
        <translation>显示这个文件的文本</translation>
    </message>
    <message>
        <source>Text of %1</source>
        <translation>%1 的文本</translation>
    </message>
</context>
<context>
    <name>vitrine::FormChecker</name>
    <message>
        <source>There is not enough memory to read this form.</source>
        <translation>内存不足，无法读取这个形式。</translation>
    </message>
</context>
<context>
    <name>vitrine::FullScreen</name>
    <message>
        <source>&amp;Full screen</source>
        <translation>全屏(&amp;F)</translation>
    </message>
    <message>
        <source>Leave Present</source>
        <translation>退出演示</translation>
    </message>
    <message>
        <source>Present is opened so the next time, too, or not</source>
        <translation>下次打开“演示”时是否也全屏</translation>
    </message>
    <message>
        <source>Back to where this window was before (Esc)</source>
        <translation>回到本窗口之前的状态 (Esc)</translation>
    </message>
</context>
<context>
    <name>vitrine::GlossaryDialog</name>
    <message>
        <source>Find a term</source>
        <translation>查找术语</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>术语表</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>术语</translation>
    </message>
    <message>
        <source>Open a scenario that shows it</source>
        <translation>打开展示它的场景</translation>
    </message>
    <message>
        <source>No term has these words.</source>
        <translation>没有术语含有这些词。</translation>
    </message>
</context>
<context>
    <name>vitrine::HeadlineBar</name>
    <message>
        <source>The step in a sentence</source>
        <translation>用一句话概括这一步</translation>
    </message>
</context>
<context>
    <name>vitrine::HeadlineModel</name>
    <message>
        <source>What the step decided</source>
        <translation>这一步的决定</translation>
    </message>
</context>
<context>
    <name>vitrine::HeadlineView</name>
    <message>
        <source>&amp;Copy the sentence</source>
        <translation>复制句子(&amp;C)</translation>
    </message>
    <message>
        <source>Step computes one iteration; this line says what it decided.</source>
        <translation>“单步”计算一次迭代；这一行说明它的决定。</translation>
    </message>
    <message>
        <source>The step: %1</source>
        <translation>这一步：%1</translation>
    </message>
</context>
<context>
    <name>vitrine::HelpMenu</name>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Find a command…</source>
        <translation>查找命令(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Glossary…</source>
        <translation>术语表(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Welcome…</source>
        <translation>欢迎(&amp;W)…</translation>
    </message>
    <message>
        <source>&amp;About Vitrine</source>
        <translation>关于 Vitrine(&amp;A)</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>关于 Qt(&amp;Q)</translation>
    </message>
</context>
<context>
    <name>vitrine::HistogramModel</name>
    <message>
        <source>%1 to %2: %3 weights, %4</source>
        <translation>%1 到 %2：%3 个权重，%4</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重数</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
</context>
<context>
    <name>vitrine::HistogramView</name>
    <message>
        <source>Histogram of the weights</source>
        <translation>权重的直方图</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>% of them</source>
        <translation>占比 %</translation>
    </message>
    <message>
        <source>How often the weights have which size.</source>
        <translation>各种大小的权重出现的频率。</translation>
    </message>
</context>
<context>
    <name>vitrine::HistoryStatus</name>
    <message>
        <source>The history file %1 is damaged.</source>
        <translation>历史文件 %1 已损坏。</translation>
    </message>
    <message>
        <source>%1 is not a history file of Vitrine.</source>
        <translation>%1 不是 Vitrine 的历史文件。</translation>
    </message>
    <message>
        <source>The history file %1 was written by a newer version of Vitrine.</source>
        <translation>历史文件 %1 由更新版本的 Vitrine 写入。</translation>
    </message>
    <message>
        <source>The history file %1 is locked by another program.</source>
        <translation>历史文件 %1 被另一个程序锁定。</translation>
    </message>
    <message>
        <source>The history file %1 cannot be written: it or its folder is read-only.</source>
        <translation>无法写入历史文件 %1：它或它的文件夹是只读的。</translation>
    </message>
    <message>
        <source>The disk of the history file %1 is full.</source>
        <translation>历史文件 %1 所在的磁盘已满。</translation>
    </message>
    <message>
        <source>Reading or writing the history file %1 failed.</source>
        <translation>读写历史文件 %1 失败。</translation>
    </message>
    <message>
        <source>The history file %1 cannot be opened.</source>
        <translation>无法打开历史文件 %1。</translation>
    </message>
    <message>
        <source>The history file %1 cannot be used: Qt's SQLite driver is missing, or lacks full-text search.</source>
        <translation>无法使用历史文件 %1：缺少 Qt 的 SQLite 驱动，或该驱动不支持全文搜索。</translation>
    </message>
    <message>
        <source>Put a copy of it back, or move it away so that a new one is made; then try again.</source>
        <translation>放回它的一份副本，或把它移走以便新建一个；然后重试。</translation>
    </message>
    <message>
        <source>Move it away, so that a new one is made; then try again.</source>
        <translation>把它移走，以便新建一个；然后重试。</translation>
    </message>
    <message>
        <source>Use the newer version, or move the file away, so that a new one is made; then try again.</source>
        <translation>使用更新的版本，或把文件移走以便新建一个；然后重试。</translation>
    </message>
    <message>
        <source>Close the other program.</source>
        <translation>关闭另一个程序。</translation>
    </message>
    <message>
        <source>Make the file and its folder writable.</source>
        <translation>让文件及其文件夹可写。</translation>
    </message>
    <message>
        <source>Free space on the disk.</source>
        <translation>释放磁盘空间。</translation>
    </message>
    <message>
        <source>See whether the disk is there and has room.</source>
        <translation>检查磁盘是否存在且有空间。</translation>
    </message>
    <message>
        <source>See whether it is a file, and one that you may read; a folder must be moved away.</source>
        <translation>检查它是否是文件，以及你是否有权读取；如果是文件夹，须将其移走。</translation>
    </message>
    <message>
        <source>Install the package libqt6sql6-sqlite.</source>
        <translation>安装软件包 libqt6sql6-sqlite。</translation>
    </message>
    <message>
        <source>New chats are not kept until then: they are in memory, and the file takes them when it can.</source>
        <translation>在此之前新聊天不会保存：它们在内存中，等文件可写时再写入。</translation>
    </message>
    <message>
        <source>Nothing was changed in it. New chats are not kept: they are in memory, and end with the program. Export those that you want to keep.</source>
        <translation>文件未作任何改动。新聊天不会保存：它们在内存中，随程序结束而消失。把想保留的导出。</translation>
    </message>
    <message>
        <source>The chats in the file are not shown.</source>
        <translation>文件中的聊天未显示。</translation>
    </message>
</context>
<context>
    <name>vitrine::HubFetch</name>
    <message>
        <source>The server does not answer</source>
        <translation>服务器没有应答</translation>
    </message>
    <message>
        <source>The server redirects in circles</source>
        <translation>服务器循环重定向</translation>
    </message>
    <message>
        <source>The server redirects to %1, which is not followed</source>
        <translation>服务器重定向到 %1，不予跟随</translation>
    </message>
</context>
<context>
    <name>vitrine::HubLister</name>
    <message>
        <source>The hub's list of files has no end.</source>
        <translation>Hub 的文件列表没有结尾。</translation>
    </message>
    <message>
        <source>The hub lists more than %1 files.</source>
        <translation>Hub 列出的文件超过 %1 个。</translation>
    </message>
    <message>
        <source>The hub's list of files goes on at another host.</source>
        <translation>Hub 的文件列表转到另一台主机上继续。</translation>
    </message>
    <message>
        <source>The hub lists %1 twice.</source>
        <translation>Hub 把 %1 列出了两次。</translation>
    </message>
    <message>
        <source>the files of %1 (%2)</source>
        <translation>%1（%2）的文件</translation>
    </message>
</context>
<context>
    <name>vitrine::HubSearcher</name>
    <message>
        <source>The hub's answer to the search has no end.</source>
        <translation>Hub 对搜索的答复没有结尾。</translation>
    </message>
    <message>
        <source>Search with other words.</source>
        <translation>换用其他词搜索。</translation>
    </message>
    <message>
        <source>Search again later. A model whose address you know can be listed all the same.</source>
        <translation>稍后再搜索。已知地址的模型仍可列出文件。</translation>
    </message>
    <message>
        <source>%1 does not answer the search.</source>
        <translation>%1 没有应答搜索。</translation>
    </message>
    <message>
        <source>%1 answered the search with error %2.</source>
        <translation>%1 对搜索答复了错误 %2。</translation>
    </message>
    <message>
        <source>The answer to the search</source>
        <translation>对搜索的答复</translation>
    </message>
</context>
<context>
    <name>vitrine::InsideModel</name>
    <message>
        <source>Select a request: its forward is opened here, layer by layer, when a step has computed it.</source>
        <translation>选择一个请求：某一步计算它之后，它的前向会在这里逐层展开。</translation>
    </message>
    <message>
        <source>Not recorded. The engine finds a layer's results by computing the tokens again, and the run's model is not loaded. Run, Resume from step %1 (Ctrl+R) loads it.</source>
        <translation>未录制。引擎通过重算 token 得出各层的结果，而这次运行的模型没有加载。运行 → 从第 %1 步恢复 (Ctrl+R) 会加载它。</translation>
    </message>
    <message>
        <source>Computing the forward again … %1</source>
        <translation>正在重算前向 … %1</translation>
    </message>
    <message>
        <source>Computing the forward again …</source>
        <translation>正在重算前向 …</translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n token(s) of step %2, computed again</source>
        <translation><numerusform>%1 · 第 %2 步的 %n 个 token，已重算</numerusform></translation>
    </message>
    <message>
        <source>%1 · with the evicted ones</source>
        <translation>%1 · 含已驱逐的</translation>
    </message>
    <message>
        <source>%1 · the next one: %2</source>
        <translation>%1 · 下一个：%2</translation>
    </message>
</context>
<context>
    <name>vitrine::InspectList</name>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>聊天模板</translation>
    </message>
    <message>
        <source>Tensors shown</source>
        <translation>显示的张量</translation>
    </message>
    <message>
        <source>Only a GGUF file has keys. A folder says the same in config.json.</source>
        <translation>只有 GGUF 文件有键。文件夹在 config.json 中说明同样的内容。</translation>
    </message>
    <message>
        <source>Keys of the file</source>
        <translation>文件的键</translation>
    </message>
    <message>
        <source>This model has no chat template.</source>
        <translation>这个模型没有聊天模板。</translation>
    </message>
    <message>
        <source>Find: attn_q, Q4_K, …</source>
        <translation>查找：attn_q, Q4_K, …</translation>
    </message>
    <message>
        <source>Find tensors by name or type</source>
        <translation>按名称或类型查找张量</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>No tensors to show.</source>
        <translation>没有可显示的张量。</translation>
    </message>
    <message>
        <source>all layers</source>
        <translation>所有层</translation>
    </message>
    <message>
        <source>outside of layers</source>
        <translation>层之外</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>层 %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>vitrine::InspectOpening</name>
    <message>
        <source>Look into a model folder</source>
        <translation>查看模型文件夹</translation>
    </message>
    <message>
        <source>Look into a model file</source>
        <translation>查看模型文件</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
</context>
<context>
    <name>vitrine::InspectSummary</name>
    <message>
        <source>The model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Memory at this context</source>
        <translation>在此上下文下的内存</translation>
    </message>
    <message>
        <source>Speed at this context</source>
        <translation>在此上下文下的速度</translation>
    </message>
    <message>
        <source>The model, to scroll</source>
        <translation>模型，可滚动</translation>
    </message>
    <message>
        <source>Context in tokens</source>
        <translation>上下文（token 数）</translation>
    </message>
    <message>
        <source>&amp;Context</source>
        <translation>上下文(&amp;C)</translation>
    </message>
    <message>
        <source>The speed follows once a model is open and its machine is measured.</source>
        <translation>打开模型并测量其机器后，才有速度。</translation>
    </message>
</context>
<context>
    <name>vitrine::InspectTensor</name>
    <message>
        <source>In type</source>
        <translation>打包类型</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Type, shape and size of the tensor</source>
        <translation>张量的类型、形状和大小</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>A group</source>
        <translation>一个分组</translation>
    </message>
    <message>
        <source>Reading the weights</source>
        <translation>正在读取权重</translation>
    </message>
    <message>
        <source>Statistics of the weights</source>
        <translation>权重的统计</translation>
    </message>
    <message>
        <source>&amp;Row</source>
        <translation>行(&amp;R)</translation>
    </message>
    <message>
        <source>Row: the output whose weights are opened</source>
        <translation>行：要展开其权重的输出</translation>
    </message>
    <message>
        <source>&amp;Group</source>
        <translation>分组(&amp;G)</translation>
    </message>
    <message>
        <source>Group: neighbouring weights of the row that share a scale</source>
        <translation>分组：该行中共享一个缩放因子的相邻权重</translation>
    </message>
    <message>
        <source>Error of the group in another type</source>
        <translation>该分组在其他类型下的误差</translation>
    </message>
    <message>
        <source>The error of these weights when they are packed in another type: the root of the mean square of the error, over that of the weights. As many neighbours are packed as a block of the type has.</source>
        <translation>把这些权重打包成其他类型时的误差：误差的均方根除以权重的均方根。每次打包的相邻权重数等于该类型一个块所含的数量。</translation>
    </message>
    <message>
        <source>Choose a tensor</source>
        <translation>选择一个张量</translation>
    </message>
    <message>
        <source>of 0 to %1</source>
        <translation>0 到 %1</translation>
    </message>
    <message>
        <source>Reading the weights…</source>
        <translation>正在读取权重…</translation>
    </message>
</context>
<context>
    <name>vitrine::InspectWindow</name>
    <message>
        <source>&amp;Open another</source>
        <translation>打开另一个(&amp;O)</translation>
    </message>
    <message>
        <source>Look into a model that need not be loaded, or drop its file or folder here</source>
        <translation>查看无需加载的模型，或把它的文件或文件夹拖放到这里</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>A model &amp;file (GGUF)…</source>
        <translation>模型文件 (GGUF)(&amp;F)…</translation>
    </message>
    <message>
        <source>A model f&amp;older…</source>
        <translation>模型文件夹(&amp;O)…</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>没有打开模型。</translation>
    </message>
    <message>
        <source>Choose a file or a folder with “Open another”, or drop it here.</source>
        <translation>用“打开另一个”选择文件或文件夹，或拖放到这里。</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>正在读取 %1…</translation>
    </message>
    <message>
        <source>What is inside a model</source>
        <translation>模型的内部</translation>
    </message>
    <message>
        <source>What is inside %1</source>
        <translation>%1 的内部</translation>
    </message>
</context>
<context>
    <name>vitrine::KeptColumns</name>
    <message>
        <source>&amp;Reset the columns</source>
        <translation>重置列(&amp;R)</translation>
    </message>
</context>
<context>
    <name>vitrine::KeptRuns</name>
    <message>
        <source>%1, to step %2</source>
        <translation>%1，到第 %2 步</translation>
    </message>
    <message>
        <source>No earlier run</source>
        <translation>没有较早的运行</translation>
    </message>
</context>
<context>
    <name>vitrine::LaneModel</name>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>waits: %1</source>
        <translation>等待：%1</translation>
    </message>
    <message numerus="yes">
        <source>prefill, %n token(s)</source>
        <translation><numerusform>预填充，%n 个 token</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>decode, %1 of %n draft token(s) accepted</source>
        <translation><numerusform>解码，%n 个草稿 token 中接受 %1 个</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>decode, %n token(s)</source>
        <translation><numerusform>解码，%n 个 token</numerusform></translation>
    </message>
    <message>
        <source>preempted, swapped out</source>
        <translation>被抢占，已换出</translation>
    </message>
    <message numerus="yes">
        <source>swapping in failed, %n computed token(s) lost</source>
        <translation><numerusform>换入失败，丢失 %n 个已计算的 token</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>preempted, %n computed token(s) lost</source>
        <translation><numerusform>被抢占，丢失 %n 个已计算的 token</numerusform></translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>%1 (%2), step %3</source>
        <translation>%1（%2），第 %3 步</translation>
    </message>
    <message>
        <source>nothing to do</source>
        <translation>无事可做</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) from the prefix cache</source>
        <translation><numerusform>%n 个 token 来自前缀缓存</numerusform></translation>
    </message>
    <message>
        <source>sampled a token whose text is not complete yet</source>
        <translation>采样了一个文本尚不完整的 token</translation>
    </message>
    <message>
        <source>sampled “%1”</source>
        <translation>采样了“%1”</translation>
    </message>
    <message>
        <source>then it finished</source>
        <translation>随后完成</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>vitrine::LanesView</name>
    <message>
        <source>Scheduler lanes</source>
        <translation>调度器泳道</translation>
    </message>
    <message>
        <source>fit</source>
        <translation>适应</translation>
    </message>
    <message>
        <source>Show the whole run (0); zoom with + and −, or with Ctrl and the wheel</source>
        <translation>显示整个运行 (0)；用 + 和 − 或 Ctrl 加滚轮缩放</translation>
    </message>
    <message>
        <source>Each request gets a lane here. Its cells show what every step computed for it: a block for a prompt, a bar for one token.</source>
        <translation>每个请求在这里有一条泳道。其中的格子显示每一步为它计算了什么：方块表示提示词，竖条表示一个 token。</translation>
    </message>
    <message>
        <source>steps %1 to %2</source>
        <translation>第 %1 到 %2 步</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>prefill: the whole prompt</source>
        <translation>预填充：整个提示词</translation>
    </message>
    <message>
        <source>decode: one token a step</source>
        <translation>解码：每步一个 token</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>bar: a token</source>
        <translation>竖条：一个 token</translation>
    </message>
    <message>
        <source>number: prompt tokens</source>
        <translation>数字：提示词 token</translation>
    </message>
    <message>
        <source>dashed: waits</source>
        <translation>虚线：等待</translation>
    </message>
    <message>
        <source>arrow: swapped out</source>
        <translation>箭头：换出</translation>
    </message>
    <message>
        <source>cross: preempted</source>
        <translation>叉：被抢占</translation>
    </message>
    <message>
        <source>tick: draft accepted</source>
        <translation>对勾：草稿已接受</translation>
    </message>
    <message>
        <source>struck: draft rejected</source>
        <translation>划掉：草稿已拒绝</translation>
    </message>
    <message>
        <source>frame: from the prefix cache</source>
        <translation>边框：来自前缀缓存</translation>
    </message>
    <message>
        <source>end stroke: finished</source>
        <translation>尾线：已完成</translation>
    </message>
    <message>
        <source>&amp;Fit the whole run</source>
        <translation>适应整个运行(&amp;F)</translation>
    </message>
</context>
<context>
    <name>vitrine::LaunchesModel</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <source>%1 TB/s</source>
        <translation>%1 TB/s</translation>
    </message>
    <message>
        <source>eager</source>
        <translation>逐个启动</translation>
    </message>
    <message>
        <source>graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>persistent</source>
        <translation>常驻</translation>
    </message>
    <message>
        <source>attention's matrices: q k v, output</source>
        <translation>注意力的矩阵：q k v，输出</translation>
    </message>
    <message>
        <source>feed-forward: gate-up, down</source>
        <translation>前馈：gate-up，down</translation>
    </message>
    <message>
        <source>attention itself</source>
        <translation>注意力本身</translation>
    </message>
    <message>
        <source>small work: norms, rotary</source>
        <translation>零碎工作：归一化，旋转</translation>
    </message>
    <message numerus="yes">
        <source>%n launch(es) · %1</source>
        <translation><numerusform>%n 次启动 · %1</numerusform></translation>
    </message>
    <message>
        <source>weights, keys and values read once at %1: %2</source>
        <translation>以 %1 读取一遍权重、键和值：%2</translation>
    </message>
    <message>
        <source>batch %1 of a graph of %2</source>
        <translation>批次 %1，使用 %2 的图</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>批次 %1</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n layer(s)</source>
        <translation><numerusform>%n 层中的 %1 层</numerusform></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message numerus="yes">
        <source>Eager: the GPU waits for the next launch during %1 of the magnified time. The host asks for %n kernel(s), one after another.</source>
        <translation><numerusform>逐个启动：在放大的时段中，GPU 有 %1 的时间在等待下一次启动。主机逐一请求 %n 个内核。</numerusform></translation>
    </message>
    <message>
        <source>Graph: the host asks once for all kernels. The GPU still waits during %1 of the magnified time: a kernel begins when the one before it has ended.</source>
        <translation>图：主机一次请求所有内核。在放大的时段中，GPU 仍有 %1 的时间在等待：前一个内核结束后，下一个才开始。</translation>
    </message>
    <message>
        <source>Persistent: one kernel computes all layers. Its parts wait for each other on the GPU: each of them needs the results of the one before it.</source>
        <translation>常驻：一个内核计算所有层。它的各部分在 GPU 上互相等待：每一部分都需要前一部分的结果。</translation>
    </message>
    <message numerus="yes">
        <source>Batch %1 in a graph of %2: %n row(s) are padding, hatched in Batch. They read no weights of their own, so they cost little.</source>
        <translation><numerusform>批次 %1 使用 %2 的图：%n 行是填充，在“批次”中以斜线表示。它们不读取自己的权重，因此代价很小。</numerusform></translation>
    </message>
    <message>
        <source>The step takes the way “%1”. Its layers take %2 times as long as reading their weights, keys and values once.</source>
        <translation>这一步采用“%1”方式。各层的用时是读取一遍其权重、键和值的 %2 倍。</translation>
    </message>
    <message>
        <source>The host launches the kernels of all layers one by one.</source>
        <translation>主机逐个启动所有层的内核。</translation>
    </message>
    <message>
        <source>The host launches all kernels at once, as a recorded graph.</source>
        <translation>主机把所有内核作为录制好的图一次启动。</translation>
    </message>
    <message>
        <source>One kernel stays on the GPU and computes all layers.</source>
        <translation>一个内核留在 GPU 上，计算所有层。</translation>
    </message>
    <message>
        <source>The norm behind the last layer is a launch of its own.</source>
        <translation>最后一层之后的归一化是单独的一次启动。</translation>
    </message>
    <message>
        <source>The step takes this way where nothing is measured.</source>
        <translation>不做测量时，这一步采用这种方式。</translation>
    </message>
    <message>
        <source>%1 as fast as eager</source>
        <translation>速度是逐个启动的 %1</translation>
    </message>
    <message>
        <source>In the first layers the GPU waits during %1 of the time.</source>
        <translation>在前几层中，GPU 有 %1 的时间在等待。</translation>
    </message>
    <message>
        <source>%1 of the limit: %2</source>
        <translation>上限的 %1：%2</translation>
    </message>
    <message>
        <source>%1, layer %2, %3: %4</source>
        <translation>%1，层 %2，%3：%4</translation>
    </message>
    <message>
        <source>begins %1 after the layers began</source>
        <translation>在各层开始后 %1 开始</translation>
    </message>
    <message>
        <source>the GPU waits %1 before it</source>
        <translation>GPU 在它之前等待 %1</translation>
    </message>
    <message>
        <source>with the norms of heads and the store into the cache</source>
        <translation>含注意力头的归一化和写入缓存</translation>
    </message>
    <message>
        <source>with the norms of heads, rotary and the store into the cache</source>
        <translation>含注意力头的归一化、旋转和写入缓存</translation>
    </message>
    <message>
        <source>with the gate</source>
        <translation>含门控</translation>
    </message>
    <message>
        <source>with the addition behind it</source>
        <translation>含其后的加法</translation>
    </message>
    <message>
        <source>Way</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Launches</source>
        <translation>启动次数</translation>
    </message>
    <message>
        <source>Time of all layers</source>
        <translation>所有层的用时</translation>
    </message>
    <message>
        <source>Against eager</source>
        <translation>相对逐个启动</translation>
    </message>
    <message>
        <source>%1 ×</source>
        <translation>%1 ×</translation>
    </message>
    <message>
        <source>The GPU waits</source>
        <translation>GPU 等待</translation>
    </message>
    <message>
        <source>Of the limit</source>
        <translation>占上限</translation>
    </message>
    <message>
        <source>Taken by the step</source>
        <translation>本步采用</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>A processor needs no launches. This page shows how a GPU gets its work: with a GPU under Machine → Compute on, it is here after a step that decodes.</source>
        <translation>处理器不需要启动内核。本页展示 GPU 如何得到工作：在“机器 → 计算设备”中选用 GPU 后，解码的一步之后就会显示在这里。</translation>
    </message>
    <message>
        <source>After a step that decodes on a GPU, the ways of launching its layers are here, side by side.</source>
        <translation>在 GPU 上解码的一步之后，启动其各层的几种方式在这里并排显示。</translation>
    </message>
    <message>
        <source>Not measured: the ways of launching a step are compared where a GPU decodes. Each sequence computes one token in such a step. In the chat no step is measured.</source>
        <translation>未测量：只在 GPU 解码时对比启动一步的几种方式。在这样的一步中，每个序列计算一个 token。聊天中不测量任何一步。</translation>
    </message>
</context>
<context>
    <name>vitrine::LaunchesView</name>
    <message>
        <source>How a GPU is handed the layers of a step</source>
        <translation>GPU 如何接到一步的各层</translation>
    </message>
    <message>
        <source>The same step, three ways</source>
        <translation>同一步，三种方式</translation>
    </message>
    <message>
        <source>The same step, two ways</source>
        <translation>同一步，两种方式</translation>
    </message>
    <message>
        <source>The step in one way</source>
        <translation>这一步，一种方式</translation>
    </message>
    <message>
        <source>The first layers, magnified</source>
        <translation>前几层，放大</translation>
    </message>
    <message>
        <source>Why is it not faster?</source>
        <translation>为什么没有更快？</translation>
    </message>
    <message>
        <source>▸ the way that the step takes where nothing is measured</source>
        <translation>▸ 不做测量时这一步采用的方式</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
    <message>
        <source>gap: the GPU waits for the next launch</source>
        <translation>间隙：GPU 等待下一次启动</translation>
    </message>
    <message>
        <source>line below: a layer</source>
        <translation>下方的线：一层</translation>
    </message>
</context>
<context>
    <name>vitrine::LayerComparison</name>
    <message>
        <source>libtorch: at most %1 apart</source>
        <translation>libtorch：最多相差 %1</translation>
    </message>
</context>
<context>
    <name>vitrine::LayersPanel</name>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Prediction of each layer</source>
        <translation>每一层的预测</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Launches</source>
        <translation>启动次数</translation>
    </message>
    <message>
        <source>Compare with libtorch</source>
        <translation>与 libtorch 对比</translation>
    </message>
    <message>
        <source>Computes the same tokens with libtorch's kernels, and shows each layer's largest difference.</source>
        <translation>用 libtorch 的内核计算相同的 token，并显示每一层的最大差异。</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>mean of all</source>
        <translation>全部的平均</translation>
    </message>
    <message>
        <source>Comparing …</source>
        <translation>正在对比 …</translation>
    </message>
</context>
<context>
    <name>vitrine::LessonChoices</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>vitrine::LessonGuide</name>
    <message>
        <source>Correct the lesson's file, or choose another.</source>
        <translation>改正课程文件，或选择另一个。</translation>
    </message>
</context>
<context>
    <name>vitrine::LessonMenu</name>
    <message>
        <source>&amp;Lessons</source>
        <translation>课程(&amp;L)</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>&amp;Open a lesson file…</source>
        <translation>打开课程文件(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Close the lesson</source>
        <translation>关闭课程(&amp;C)</translation>
    </message>
    <message>
        <source>Open a lesson</source>
        <translation>打开课程</translation>
    </message>
    <message>
        <source>Lessons (*.md)</source>
        <translation>课程 (*.md)</translation>
    </message>
</context>
<context>
    <name>vitrine::LessonReading</name>
    <message>
        <source>The lesson's page</source>
        <translation>课程的页面</translation>
    </message>
</context>
<context>
    <name>vitrine::LessonView</name>
    <message>
        <source>The page's title</source>
        <translation>页面的标题</translation>
    </message>
    <message>
        <source>The page before</source>
        <translation>上一页</translation>
    </message>
    <message>
        <source>The next page, whatever this one has left</source>
        <translation>下一页，不管本页还剩什么</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>The next page</source>
        <translation>下一页</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Choose a lesson</source>
        <translation>选择课程</translation>
    </message>
    <message>
        <source>Show the answer</source>
        <translation>显示答案</translation>
    </message>
    <message>
        <source>Next page</source>
        <translation>下一页</translation>
    </message>
    <message>
        <source>End the lesson</source>
        <translation>结束课程</translation>
    </message>
    <message>
        <source>Next lesson: %1</source>
        <translation>下一课：%1</translation>
    </message>
    <message>
        <source>A lesson leads through the machine in ten minutes: it starts a scenario, runs to the moment that matters, and points at what to see.</source>
        <translation>一课用十分钟带你了解机器：启动一个场景，运行到关键时刻，并指出要看什么。</translation>
    </message>
</context>
<context>
    <name>vitrine::LoadModel</name>
    <message>
        <source>answers</source>
        <translation>已应答</translation>
    </message>
    <message>
        <source>is asked…</source>
        <translation>正在询问…</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Requests in the batch; of a Vitrine: sequences</source>
        <translation>批次中的请求；对 Vitrine 而言是序列</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Requests in the queue; of a Vitrine: sequences</source>
        <translation>队列中的请求；对 Vitrine 而言是序列</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>KV cache, share</source>
        <translation>KV 缓存占比</translation>
    </message>
    <message>
        <source>The share of it that is in use</source>
        <translation>使用中的占比</translation>
    </message>
    <message>
        <source>Prefix hits</source>
        <translation>前缀命中</translation>
    </message>
    <message>
        <source>Prefix hits, share</source>
        <translation>前缀命中占比</translation>
    </message>
    <message>
        <source>Of the prompts' tokens in the last minute, those found in the prefix cache</source>
        <translation>最近一分钟提示词的 token 中，在前缀缓存中找到的比例</translation>
    </message>
    <message>
        <source>Generated tok/s</source>
        <translation>生成 tok/s</translation>
    </message>
    <message>
        <source>Generated tokens a second, over the last ten seconds</source>
        <translation>最近十秒内每秒生成的 token</translation>
    </message>
    <message>
        <source>Prompt tok/s</source>
        <translation>提示词 tok/s</translation>
    </message>
    <message>
        <source>Tokens of prompts a second, over the last ten seconds</source>
        <translation>最近十秒内每秒处理的提示词 token</translation>
    </message>
    <message>
        <source>Preemptions</source>
        <translation>抢占次数</translation>
    </message>
    <message>
        <source>Since the engine's start; SGLang calls them retractions</source>
        <translation>自引擎启动以来；SGLang 称之为 retraction</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>not told by this server, or no prompt came in the last minute</source>
        <translation>这台服务器未告知，或最近一分钟没有提示词</translation>
    </message>
    <message>
        <source>not told by this server, or not yet</source>
        <translation>这台服务器未告知，或尚未告知</translation>
    </message>
    <message>
        <source>not told by this server</source>
        <translation>这台服务器未告知</translation>
    </message>
</context>
<context>
    <name>vitrine::LoadPlots</name>
    <message>
        <source>requests, running and waiting</source>
        <translation>请求，运行中和等待中</translation>
    </message>
    <message>
        <source>KV cache in use, %</source>
        <translation>KV 缓存使用量，%</translation>
    </message>
    <message>
        <source>prefix hits, last minute, %</source>
        <translation>前缀命中，最近一分钟，%</translation>
    </message>
    <message>
        <source>generated tok/s</source>
        <translation>生成 tok/s</translation>
    </message>
    <message>
        <source>Plots of the load</source>
        <translation>负载曲线图</translation>
    </message>
    <message>
        <source>Requests, KV cache, prefix hits and generated tokens over the last ten minutes. The table has the newest figures.</source>
        <translation>最近十分钟的请求、KV 缓存、前缀命中和生成的 token。最新数值见表格。</translation>
    </message>
    <message>
        <source>minutes ago</source>
        <translation>分钟前</translation>
    </message>
</context>
<context>
    <name>vitrine::LoadWatcher</name>
    <message>
        <source>does not answer in time</source>
        <translation>未及时应答</translation>
    </message>
    <message>
        <source>its answer has no end</source>
        <translation>其答复没有结尾</translation>
    </message>
    <message>
        <source>has no metrics: vLLM has them by itself, SGLang with --enable-metrics, llama.cpp with --metrics</source>
        <translation>没有指标：vLLM 自带，SGLang 用 --enable-metrics，llama.cpp 用 --metrics</translation>
    </message>
    <message>
        <source>asks for its key: add its address again, with the key</source>
        <translation>要求密钥：连同密钥重新添加它的地址</translation>
    </message>
    <message>
        <source>does not answer: %1</source>
        <translation>没有应答：%1</translation>
    </message>
    <message>
        <source>has metrics, but none of vLLM, SGLang, llama.cpp or Vitrine</source>
        <translation>有指标，但不是 vLLM、SGLang、llama.cpp 或 Vitrine 的</translation>
    </message>
    <message>
        <source>its answer is no metrics in Prometheus' format: %1</source>
        <translation>其答复不是 Prometheus 格式的指标：%1</translation>
    </message>
</context>
<context>
    <name>vitrine::LoadWindow</name>
    <message>
        <source>Load of servers</source>
        <translation>服务器负载</translation>
    </message>
    <message>
        <source>Problem with the address</source>
        <translation>地址的问题</translation>
    </message>
    <message>
        <source>A&amp;dd</source>
        <translation>添加(&amp;D)</translation>
    </message>
    <message>
        <source>Show the load of this server beside the others (Enter)</source>
        <translation>把这台服务器的负载与其他的并排显示 (Enter)</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>地址(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Key</source>
        <translation>密钥(&amp;K)</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>The selected server</source>
        <translation>选中的服务器</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>Show the selected server no longer (Delete in the table)</source>
        <translation>不再显示选中的服务器（在表格中按 Delete）</translation>
    </message>
    <message>
        <source>The last ten minutes</source>
        <translation>最近十分钟</translation>
    </message>
    <message>
        <source>Add the address of a vLLM, SGLang, llama.cpp or Vitrine server. Several replicas behind a router stand side by side.</source>
        <translation>添加 vLLM、SGLang、llama.cpp 或 Vitrine 服务器的地址。同一路由器后的多个副本会并排显示。</translation>
    </message>
    <message>
        <source>Servers and their load</source>
        <translation>服务器及其负载</translation>
    </message>
    <message>
        <source>%1 servers stand side by side here at most. Remove one first.</source>
        <translation>这里最多并排 %1 台服务器。先移除一台。</translation>
    </message>
    <message>
        <source>This is no address of a server.</source>
        <translation>这不是服务器的地址。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>vitrine::MachineBar</name>
    <message>
        <source>This engine is another program's, which takes its steps by itself</source>
        <translation>这个引擎属于另一个程序，由它自己单步</translation>
    </message>
    <message>
        <source>This machine is watched: to step it, attach with the server's own token</source>
        <translation>正在旁观这台机器：要单步，用服务器自己的令牌附接</translation>
    </message>
    <message>
        <source>The recording is at its end: go back, or resume it</source>
        <translation>录制已到末尾：后退，或恢复它</translation>
    </message>
    <message>
        <source>There is no machine to run: open a model</source>
        <translation>没有可运行的机器：打开一个模型</translation>
    </message>
    <message>
        <source>The model is loading</source>
        <translation>正在加载模型</translation>
    </message>
    <message>
        <source>Nothing is left to compute: send a message, or start again</source>
        <translation>没有剩余的计算：发送一条消息，或重新开始</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Start again: empty cache, iteration 0, the first requests waiting</source>
        <translation>重新开始：缓存为空，迭代 0，最初的请求等待中</translation>
    </message>
    <message>
        <source>Show the step before</source>
        <translation>显示上一步</translation>
    </message>
    <message>
        <source>One scheduler iteration; in the past, one step forward</source>
        <translation>调度器的一次迭代；在过去的步中则前进一步</translation>
    </message>
    <message>
        <source>One phase of a step: admit, plan, allocate, forward, sample, commit; in the past, one phase forward</source>
        <translation>一步中的一个阶段：准入、规划、分配、前向、采样、提交；在过去的步中则前进一个阶段</translation>
    </message>
    <message>
        <source>One step after another until nothing is left</source>
        <translation>一步接一步，直到没有剩余</translation>
    </message>
    <message>
        <source>Run to…</source>
        <translation>运行到…</translation>
    </message>
    <message>
        <source>Run to the next preemption, token, step, ...</source>
        <translation>运行到下一次抢占、下一个 token、某一步…</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Steps per second while running</source>
        <translation>运行时每秒的步数</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>最快</translation>
    </message>
    <message>
        <source>%1 steps/s</source>
        <translation>%1 步/s</translation>
    </message>
    <message>
        <source>As fast as the engine goes</source>
        <translation>引擎能多快就多快</translation>
    </message>
    <message>
        <source>Another program's machine takes whole steps from here</source>
        <translation>另一个程序的机器从这里只能走整步</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
</context>
<context>
    <name>vitrine::MainWindow</name>
    <message>
        <source>Vitrine</source>
        <translation>Vitrine</translation>
    </message>
    <message>
        <source>Loading was cancelled.</source>
        <translation>加载已取消。</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>录制</translation>
    </message>
    <message numerus="yes">
        <source>Follows the recording: %n step(s) equal</source>
        <translation><numerusform>与录制一致：%n 步相同</numerusform></translation>
    </message>
    <message>
        <source>Decides otherwise than the recording from step %1 on</source>
        <translation>从第 %1 步起，决定与录制不同</translation>
    </message>
    <message>
        <source>Other options: equal to the recording so far</source>
        <translation>选项不同：到目前为止与录制相同</translation>
    </message>
    <message>
        <source>Differs from the recording at step %1</source>
        <translation>在第 %1 步与录制不同</translation>
    </message>
    <message numerus="yes">
        <source>The recording is at its end: all %n step(s) were equal</source>
        <translation><numerusform>录制已到末尾：全部 %n 步都相同</numerusform></translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%2 上的 %1</translation>
    </message>
    <message>
        <source>Transformers does the same from version 5 on; version 4 gives other answers.</source>
        <translation>Transformers 从第 5 版起也是这样；第 4 版给出不同的回答。</translation>
    </message>
    <message>
        <source>Its answers do not depend on them.</source>
        <translation>它的回答不取决于这些选项。</translation>
    </message>
    <message>
        <source>This model's chat template cannot be followed: %1.</source>
        <translation>无法遵循这个模型的聊天模板：%1。</translation>
    </message>
    <message>
        <source>It is asked in a plain form, so its answers may be worse than they could be.</source>
        <translation>将以简单的形式询问它，因此回答可能比应有的差。</translation>
    </message>
    <message>
        <source>The built-in model is open in its place.</source>
        <translation>已改为打开内置模型。</translation>
    </message>
    <message>
        <source>The engine of %1 is shown here. Machine → Send a request… asks it; to chat, open a model.</source>
        <translation>这里显示 %1 的引擎。用“机器 → 发送请求…”询问它；要聊天，打开一个模型。</translation>
    </message>
    <message>
        <source>The engine of %1 is watched here. Open a model to chat with.</source>
        <translation>这里旁观 %1 的引擎。要聊天，打开一个模型。</translation>
    </message>
    <message>
        <source>This is a recording. Resume it to chat with its model.</source>
        <translation>这是录制。恢复它，即可与其模型聊天。</translation>
    </message>
    <message>
        <source>Open a model to chat with.</source>
        <translation>要聊天，打开一个模型。</translation>
    </message>
    <message>
        <source>The model is loading…</source>
        <translation>正在加载模型…</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Choose the model that runs</source>
        <translation>选择要运行的模型</translation>
    </message>
    <message>
        <source>Choose an experiment to step through</source>
        <translation>选择一个实验，单步查看</translation>
    </message>
    <message>
        <source>M&amp;achine</source>
        <translation>机器(&amp;A)</translation>
    </message>
    <message>
        <source>Machine &amp;options…</source>
        <translation>机器选项(&amp;O)…</translation>
    </message>
    <message>
        <source>Ser&amp;ve…</source>
        <translation>提供服务(&amp;V)…</translation>
    </message>
    <message>
        <source>Programs on this computer or its network use the open model over OpenAI's API</source>
        <translation>本机或其网络上的程序通过 OpenAI API 使用已打开的模型</translation>
    </message>
    <message>
        <source>&amp;Attach to a server…</source>
        <translation>附接到服务器(&amp;A)…</translation>
    </message>
    <message>
        <source>Shows the engine of another window or of vitrine-cli serve, as it goes</source>
        <translation>实时显示另一个窗口或 vitrine-cli serve 的引擎</translation>
    </message>
    <message>
        <source>&amp;Load of servers…</source>
        <translation>服务器负载(&amp;L)…</translation>
    </message>
    <message>
        <source>Requests, KV cache and prefix hits of several servers side by side, as they go</source>
        <translation>实时并排显示多台服务器的请求、KV 缓存和前缀命中</translation>
    </message>
    <message>
        <source>Send a re&amp;quest to the server…</source>
        <translation>向服务器发送请求(&amp;Q)…</translation>
    </message>
    <message>
        <source>A chat of one message for the engine that is attached, where its token lets you steer it</source>
        <translation>一条消息的聊天，发给所附接的引擎，前提是其令牌允许你操控它</translation>
    </message>
    <message>
        <source>Let the model &amp;think first</source>
        <translation>让模型先思考(&amp;T)</translation>
    </message>
    <message>
        <source>For models whose chat format supports thinking, such as Qwen3</source>
        <translation>适用于聊天格式支持思考的模型，例如 Qwen3</translation>
    </message>
    <message numerus="yes">
        <source>The conversation is longer than the model's context: the %n oldest message(s) were left out.</source>
        <translation><numerusform>对话比模型的上下文长：已略去最早的 %n 条消息。</numerusform></translation>
    </message>
    <message>
        <source>Start a new chat to begin with an empty context.</source>
        <translation>开始新聊天，从空的上下文开始。</translation>
    </message>
    <message>
        <source>serving on %1</source>
        <translation>正在 %1 上提供服务</translation>
    </message>
    <message numerus="yes">
        <source>serving on %1: %n request(s) wait</source>
        <translation><numerusform>正在 %1 上提供服务：%n 个请求在等待</numerusform></translation>
    </message>
    <message>
        <source>Machine → Serve has the clients and the switch.</source>
        <translation>客户端和开关在“机器 → 提供服务”中。</translation>
    </message>
    <message>
        <source>Saved %1, to step %2</source>
        <translation>已保存 %1，到第 %2 步</translation>
    </message>
    <message>
        <source>Chats are kept in their file again.</source>
        <translation>聊天又保存到文件中了。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>vitrine::MessageBar</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the message</source>
        <translation>关闭消息</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Next %1/%2</source>
        <translation>下一条 %1/%2</translation>
    </message>
    <message>
        <source>Message %1 of %2: show the next</source>
        <translation>消息 %1 / %2：显示下一条</translation>
    </message>
    <message>
        <source>Reset the machine. The model is not damaged.</source>
        <translation>重置机器。模型没有损坏。</translation>
    </message>
    <message>
        <source>The recording cannot be kept on the disk and continues in memory. %1</source>
        <translation>无法把录制保存在磁盘上，它在内存中继续。%1</translation>
    </message>
    <message>
        <source>Nothing is lost. Free space on the disk, or reset the machine when memory runs short.</source>
        <translation>没有丢失任何东西。释放磁盘空间，或在内存不足时重置机器。</translation>
    </message>
</context>
<context>
    <name>vitrine::MessageDeletion</name>
    <message>
        <source>Ctrl+Z brings it back</source>
        <translation>Ctrl+Z 可找回</translation>
    </message>
    <message>
        <source>Stop the answer first, or wait for its end</source>
        <translation>先停止回答，或等它结束</translation>
    </message>
    <message>
        <source>Nothing was deleted: an answer of this chat is being computed, or the chat has changed.</source>
        <translation>没有删除任何内容：本聊天的一个回答正在计算，或聊天已有变化。</translation>
    </message>
    <message>
        <source>Stop the answer, or wait for its end. Then delete again.</source>
        <translation>停止回答，或等它结束。然后再次删除。</translation>
    </message>
</context>
<context>
    <name>vitrine::MessageWidget</name>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>The model thought</source>
        <translation>模型的思考</translation>
    </message>
    <message>
        <source>You wrote</source>
        <translation>你写道</translation>
    </message>
    <message>
        <source>The tool gave back</source>
        <translation>工具返回</translation>
    </message>
    <message>
        <source>Results of the tools</source>
        <translation>工具的结果</translation>
    </message>
    <message>
        <source>The version before this one</source>
        <translation>上一个版本</translation>
    </message>
    <message>
        <source>The version after this one</source>
        <translation>下一个版本</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy this message</source>
        <translation>复制这条消息</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>重答</translation>
    </message>
    <message>
        <source>Another answer to the same question; this one stays</source>
        <translation>对同一提问再答一次；当前回答会保留</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Change this result; the old one and its answers stay</source>
        <translation>更改这个结果；原来的结果及其回答会保留</translation>
    </message>
    <message>
        <source>Change this question; the old one and its answers stay</source>
        <translation>更改这个提问；原来的提问及其回答会保留</translation>
    </message>
    <message>
        <source>More: its tokens, to go on, to run it again, to delete it</source>
        <translation>更多：查看其 token、继续、再次运行、删除</translation>
    </message>
    <message>
        <source>More: to delete it</source>
        <translation>更多：删除</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>The model goes on where the answer ended; this one stays</source>
        <translation>模型从回答结束的地方继续；当前回答会保留</translation>
    </message>
    <message>
        <source>The model's thoughts before its answer</source>
        <translation>模型回答前的思考</translation>
    </message>
    <message numerus="yes">
        <source>Thinking: %n word(s)</source>
        <translation><numerusform>思考中：%n 个词</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Thought: %n word(s)</source>
        <translation><numerusform>已思考：%n 个词</numerusform></translation>
    </message>
    <message>
        <source>Thinking for %1, %2</source>
        <translation>正在思考 %1，%2</translation>
    </message>
    <message>
        <source>Thought for %1, %2</source>
        <translation>思考了 %1，%2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Open this address?</source>
        <translation>打开这个地址？</translation>
    </message>
    <message>
        <source>The model wrote a link. Your browser would open:</source>
        <translation>模型写了一个链接。你的浏览器将打开：</translation>
    </message>
</context>
<context>
    <name>vitrine::MetricsModel</name>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Sequences</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>Prefill tokens</source>
        <translation>预填充 token</translation>
    </message>
    <message>
        <source>Decode tokens</source>
        <translation>解码 token</translation>
    </message>
    <message>
        <source>Token budget</source>
        <translation>token 预算</translation>
    </message>
    <message>
        <source>Budget used</source>
        <translation>已用预算</translation>
    </message>
    <message>
        <source>Budget used (%)</source>
        <translation>已用预算 (%)</translation>
    </message>
    <message>
        <source>Sampled</source>
        <translation>已采样</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Blocks used</source>
        <translation>使用中的块</translation>
    </message>
    <message>
        <source>Blocks cached</source>
        <translation>已缓存的块</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Time (ms)</source>
        <translation>时间 (ms)</translation>
    </message>
    <message>
        <source>Tokens/s, this step</source>
        <translation>token/s，本步</translation>
    </message>
    <message>
        <source>Tokens/s, last 16 steps</source>
        <translation>token/s，最近 16 步</translation>
    </message>
    <message>
        <source>TTFT p50</source>
        <translation>TTFT p50</translation>
    </message>
    <message>
        <source>TTFT p50 (ms)</source>
        <translation>TTFT p50 (ms)</translation>
    </message>
    <message>
        <source>TTFT p95</source>
        <translation>TTFT p95</translation>
    </message>
    <message>
        <source>TTFT p95 (ms)</source>
        <translation>TTFT p95 (ms)</translation>
    </message>
    <message>
        <source>ITL p50</source>
        <translation>ITL p50</translation>
    </message>
    <message>
        <source>ITL p50 (ms)</source>
        <translation>ITL p50 (ms)</translation>
    </message>
    <message>
        <source>ITL p95</source>
        <translation>ITL p95</translation>
    </message>
    <message>
        <source>ITL p95 (ms)</source>
        <translation>ITL p95 (ms)</translation>
    </message>
    <message>
        <source>Prefix hits</source>
        <translation>前缀命中</translation>
    </message>
    <message>
        <source>Prefix hits (%)</source>
        <translation>前缀命中 (%)</translation>
    </message>
    <message>
        <source>Drafts accepted</source>
        <translation>接受的草稿</translation>
    </message>
    <message>
        <source>Drafts accepted (%)</source>
        <translation>接受的草稿 (%)</translation>
    </message>
</context>
<context>
    <name>vitrine::ModelChange</name>
    <message>
        <source>An answer is being written</source>
        <translation>正在写一个回答</translation>
    </message>
    <message>
        <source>It ends here. The text so far stays in its chat, and messages that wait are held.</source>
        <translation>它到此结束。已有的文本留在聊天中，等待的消息会被搁置。</translation>
    </message>
    <message>
        <source>Keep answering</source>
        <translation>继续回答</translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) are being written.</source>
        <translation><numerusform>正在写 %n 个回答。</numerusform></translation>
    </message>
    <message>
        <source>An answer is being written in “%1”.</source>
        <translation>正在“%1”中写一个回答。</translation>
    </message>
    <message>
        <source>An answer is being written.</source>
        <translation>正在写一个回答。</translation>
    </message>
</context>
<context>
    <name>vitrine::ModelInspector</name>
    <message>
        <source>There is not enough memory to read this.</source>
        <translation>内存不足，无法读取。</translation>
    </message>
    <message>
        <source>Close other programs, or look into a smaller tensor.</source>
        <translation>关闭其他程序，或查看较小的张量。</translation>
    </message>
</context>
<context>
    <name>vitrine::ModelLoading</name>
    <message>
        <source>Change the model</source>
        <translation>更换模型</translation>
    </message>
    <message>
        <source>Open the scenario</source>
        <translation>打开场景</translation>
    </message>
    <message>
        <source>Leave the scenario</source>
        <translation>离开场景</translation>
    </message>
    <message>
        <source>Load the machine anew</source>
        <translation>重新加载机器</translation>
    </message>
    <message>
        <source>Correct the scenario's file, or choose another.</source>
        <translation>改正场景文件，或选择另一个。</translation>
    </message>
</context>
<context>
    <name>vitrine::ModelMenu</name>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Built-in model</source>
        <translation>内置模型(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Models on this computer…</source>
        <translation>本机上的模型(&amp;M)…</translation>
    </message>
    <message>
        <source>Those of other programs too, whether they fit, and getting another one</source>
        <translation>包括其他程序的模型、它们是否装得下，以及获取新的模型</translation>
    </message>
    <message>
        <source>&amp;Open a model folder…</source>
        <translation>打开模型文件夹(&amp;O)…</translation>
    </message>
    <message>
        <source>A Hugging Face folder: config.json, *.safetensors, tokenizer.json or tokenizer.model</source>
        <translation>Hugging Face 文件夹：config.json，*.safetensors，tokenizer.json 或 tokenizer.model</translation>
    </message>
    <message>
        <source>Open a model &amp;file (GGUF)…</source>
        <translation>打开模型文件 (GGUF)(&amp;F)…</translation>
    </message>
    <message>
        <source>What LM Studio, Ollama, llama.cpp, Jan and GPT4All store: weights and tokenizer in one file</source>
        <translation>LM Studio、Ollama、llama.cpp、Jan 和 GPT4All 存储的格式：权重和分词器在一个文件中</translation>
    </message>
    <message>
        <source>&amp;Connect to a server…</source>
        <translation>连接到服务器(&amp;C)…</translation>
    </message>
    <message>
        <source>A model that vLLM, SGLang, llama.cpp, Ollama or another OpenAI-compatible server runs</source>
        <translation>由 vLLM、SGLang、llama.cpp、Ollama 或其他兼容 OpenAI 的服务器运行的模型</translation>
    </message>
    <message>
        <source>What is &amp;inside…</source>
        <translation>查看内部(&amp;I)…</translation>
    </message>
    <message>
        <source>Sizes, tensors and weights of the model that is open, or of another file</source>
        <translation>已打开的模型或其他文件的大小、张量和权重</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Open a model folder</source>
        <translation>打开模型文件夹</translation>
    </message>
    <message>
        <source>Open a model file</source>
        <translation>打开模型文件</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 模型 (*.gguf)</translation>
    </message>
</context>
<context>
    <name>vitrine::ModelsDownload</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>owner/name, owner/name:Q4_K_M, or the address of a page</source>
        <translation>owner/name、owner/name:Q4_K_M，或页面的地址</translation>
    </message>
    <message>
        <source>Address or repository of a model</source>
        <translation>模型的地址或仓库</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;List</source>
        <translation>列出(&amp;L)</translation>
    </message>
    <message>
        <source>Ask which files the model has</source>
        <translation>询问该模型有哪些文件</translation>
    </message>
    <message>
        <source>Servers that a download contacts</source>
        <translation>下载会联系的服务器</translation>
    </message>
    <message>
        <source>Nothing is contacted before you type words or press List. Then %1 is asked, and where it keeps its files.</source>
        <translation>在你输入文字或按“列出”之前，不联系任何服务器。之后会询问 %1 及其存放文件的地方。</translation>
    </message>
    <message>
        <source>Files to choose from</source>
        <translation>可选择的文件</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Where it will lie</source>
        <translation>存放位置</translation>
    </message>
    <message>
        <source>Progress of the download</source>
        <translation>下载进度</translation>
    </message>
    <message>
        <source>The download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>&amp;Download</source>
        <translation>下载(&amp;D)</translation>
    </message>
    <message>
        <source>Download the chosen files</source>
        <translation>下载选中的文件</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>The downloaded part is kept, also when the program ends</source>
        <translation>已下载的部分会保留，程序结束后也保留</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>End the download and remove the downloaded part</source>
        <translation>结束下载，并移除已下载的部分</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>Load the model that has been downloaded</source>
        <translation>加载已下载的模型</translation>
    </message>
    <message>
        <source>%1 It tries again in %2.</source>
        <translation>%1将在 %2 后重试。</translation>
    </message>
    <message>
        <source>Type owner/name, or paste the address of a model's page.</source>
        <translation>输入 owner/name，或粘贴模型页面的地址。</translation>
    </message>
    <message>
        <source>%1 has no files that this program could load.</source>
        <translation>%1 没有本程序能加载的文件。</translation>
    </message>
    <message>
        <source>It loads GGUF files, and folders of config.json and safetensors.</source>
        <translation>本程序加载 GGUF 文件，以及含 config.json 和 safetensors 的文件夹。</translation>
    </message>
    <message>
        <source>suggested</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>this program does not read this type</source>
        <translation>本程序不读这种类型</translation>
    </message>
    <message>
        <source>It will lie in %1.</source>
        <translation>将存放在 %1。</translation>
    </message>
    <message>
        <source>%1 are free there.</source>
        <translation>那里有 %1 空闲。</translation>
    </message>
    <message>
        <source>That is too little.</source>
        <translation>空间不够。</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>继续(&amp;R)</translation>
    </message>
    <message>
        <source>Asking %1 for the files…</source>
        <translation>正在向 %1 询问文件…</translation>
    </message>
    <message>
        <source>Checking the files that are there already…</source>
        <translation>正在检查已有的文件…</translation>
    </message>
    <message>
        <source>Paused. The downloaded part is kept.</source>
        <translation>已暂停。已下载的部分会保留。</translation>
    </message>
    <message>
        <source>Stopped. The downloaded part is kept.</source>
        <translation>已停止。已下载的部分会保留。</translation>
    </message>
    <message>
        <source>Done. It is among the models on this computer.</source>
        <translation>完成。它已列入本机上的模型。</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
</context>
<context>
    <name>vitrine::ModelsList</name>
    <message>
        <source>Whether the selected model fits</source>
        <translation>选中的模型是否装得下</translation>
    </message>
    <message>
        <source>Where the selected model lies</source>
        <translation>选中的模型的位置</translation>
    </message>
    <message>
        <source>Find: qwen3, Ollama, Q4_K, …</source>
        <translation>查找：qwen3, Ollama, Q4_K, …</translation>
    </message>
    <message>
        <source>Find models by name, program, family or type</source>
        <translation>按名称、程序、系列或类型查找模型</translation>
    </message>
    <message>
        <source>each model's own</source>
        <translation>各模型自己的</translation>
    </message>
    <message>
        <source>Context in tokens</source>
        <translation>上下文（token 数）</translation>
    </message>
    <message>
        <source>Tokens of the conversation that memory and speed are computed for</source>
        <translation>计算内存和速度时所按的对话 token 数</translation>
    </message>
    <message>
        <source>At a &amp;context of</source>
        <translation>上下文为(&amp;C)</translation>
    </message>
    <message>
        <source>No models to show. “Get a model” downloads one, and “Folders” adds a folder of yours to the search. The built-in model is always there.</source>
        <translation>没有可显示的模型。“获取模型”下载一个，“文件夹”把你的文件夹加入搜索。内置模型始终可用。</translation>
    </message>
    <message>
        <source>Models on this computer</source>
        <translation>本机上的模型</translation>
    </message>
    <message>
        <source>Part of the free memory for keys and values</source>
        <translation>空闲内存中用于键和值的部分</translation>
    </message>
    <message>
        <source>Of the memory that a model's weights leave free, the part for the keys and values of all chats. It counts when a model is opened.</source>
        <translation>模型权重所剩的空闲内存中，用于所有聊天的键和值的部分。打开模型时生效。</translation>
    </message>
    <message>
        <source>&amp;KV memory, share of free:</source>
        <translation>KV 内存，占空闲的比例(&amp;K)：</translation>
    </message>
    <message>
        <source>KV memory of the selected model</source>
        <translation>选中的模型的 KV 内存</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>Load the selected model (Enter in the table)</source>
        <translation>加载选中的模型（在表格中按 Enter）</translation>
    </message>
    <message>
        <source>What is &amp;inside…</source>
        <translation>查看内部(&amp;I)…</translation>
    </message>
    <message>
        <source>Sizes, tensors and weights, without loading the model</source>
        <translation>大小、张量和权重，无需加载模型</translation>
    </message>
    <message>
        <source>The search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>&amp;Folders</source>
        <translation>文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>Folders of yours that are searched too</source>
        <translation>你的、同样会被搜索的文件夹</translation>
    </message>
    <message>
        <source>&amp;Search again</source>
        <translation>重新搜索(&amp;S)</translation>
    </message>
    <message>
        <source>Look again at all places</source>
        <translation>重新查看所有位置</translation>
    </message>
    <message>
        <source>%1 tokens, as the machine options say.</source>
        <translation>%1 个 token，按机器选项。</translation>
    </message>
    <message>
        <source>%1, as the machine options say.</source>
        <translation>%1，按机器选项。</translation>
    </message>
    <message>
        <source>%1, %2 tokens for all chats</source>
        <translation>%1，所有聊天共 %2 个 token</translation>
    </message>
    <message>
        <source>&amp;Add a folder…</source>
        <translation>添加文件夹(&amp;A)…</translation>
    </message>
    <message>
        <source>Forget %1</source>
        <translation>忘掉 %1</translation>
    </message>
    <message>
        <source>Stop &amp;drafting</source>
        <translation>停止起草(&amp;D)</translation>
    </message>
    <message>
        <source>Use as &amp;draft</source>
        <translation>用作草稿模型(&amp;D)</translation>
    </message>
    <message>
        <source>The open model answers alone again</source>
        <translation>已打开的模型又独自回答</translation>
    </message>
    <message>
        <source>Loads the selected model beside the open one. It proposes tokens, which the open one checks: the same answers in fewer steps.</source>
        <translation>把选中的模型加载到已打开的模型旁边。它提出 token，由已打开的模型检查：回答相同，步数更少。</translation>
    </message>
    <message>
        <source>Select a model to see its needs.</source>
        <translation>选择一个模型，查看它的需求。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>At most %1, and %2 when the context is full.</source>
        <translation>最多 %1，上下文满时 %2。</translation>
    </message>
    <message>
        <source>Its speed follows once a model is open and the machine is measured.</source>
        <translation>打开模型并测量机器后，才有它的速度。</translation>
    </message>
</context>
<context>
    <name>vitrine::ModelsOffers</name>
    <message>
        <source>%1 billion</source>
        <translation>%1B</translation>
    </message>
    <message>
        <source>Find: qwen3 coder, llama 3b, …</source>
        <translation>查找：qwen3 coder, llama 3b, …</translation>
    </message>
    <message>
        <source>Search the hub for models by words</source>
        <translation>按文字在 Hub 上搜索模型</translation>
    </message>
    <message>
        <source>The models to choose from</source>
        <translation>可选择的模型</translation>
    </message>
    <message>
        <source>Models to choose from</source>
        <translation>可选择的模型</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>下载次数</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Whether it opens, and the file that fits the memory that is free now, at the context chosen on the first page</source>
        <translation>是否能打开，以及在第一页所选的上下文下，装得进当前空闲内存的文件</translation>
    </message>
    <message>
        <source>In the last month</source>
        <translation>最近一个月</translation>
    </message>
    <message>
        <source>%1 finds no model in GGUF files with these words.</source>
        <translation>%1 没有找到与这些词匹配的 GGUF 模型。</translation>
    </message>
    <message>
        <source>Models in GGUF files at %1, the most downloaded first.</source>
        <translation>%1 上的 GGUF 模型，下载最多的在前。</translation>
    </message>
    <message>
        <source>Searching %1…</source>
        <translation>正在搜索 %1…</translation>
    </message>
    <message>
        <source>Good small models. Type words to search all of %1; it is asked when typing pauses.</source>
        <translation>好的小模型。输入文字可搜索整个 %1；停止输入时才会询问它。</translation>
    </message>
    <message>
        <source>opens</source>
        <translation>能打开</translation>
    </message>
    <message>
        <source>does not open</source>
        <translation>不能打开</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
</context>
<context>
    <name>vitrine::ModelsOpening</name>
    <message>
        <source>Search another folder for models</source>
        <translation>在另一个文件夹中搜索模型</translation>
    </message>
</context>
<context>
    <name>vitrine::ModelsTableModel</name>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>tight</source>
        <translation>勉强</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>装得下</translation>
    </message>
    <message>
        <source>fits tightly</source>
        <translation>勉强装得下</translation>
    </message>
    <message>
        <source>too large</source>
        <translation>太大</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>The program that keeps it</source>
        <translation>保存它的程序</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>The architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Of its files, on the disk</source>
        <translation>其文件在磁盘上的大小</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Of most of its weights</source>
        <translation>其大部分权重的类型</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Tokens that it was made for, at most</source>
        <translation>它所支持的 token 数上限</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Weights and KV cache, at the context that is chosen above</source>
        <translation>在上方所选的上下文下，权重和 KV 缓存的大小</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>tok/s</translation>
    </message>
    <message>
        <source>Tokens a second on this machine, at most: the memory's bandwidth over the bytes that a token reads</source>
        <translation>在这台机器上每秒最多的 token 数：内存带宽除以一个 token 读取的字节数</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>装得下</translation>
    </message>
    <message>
        <source>Whether it fits into the memory that is free now</source>
        <translation>是否装得进当前空闲的内存</translation>
    </message>
</context>
<context>
    <name>vitrine::ModelsWindow</name>
    <message>
        <source>Left out</source>
        <translation>已略去</translation>
    </message>
    <message>
        <source>Because</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Models on this computer</source>
        <translation>本机上的模型</translation>
    </message>
    <message>
        <source>The search has left no model out.</source>
        <translation>搜索没有略去任何模型。</translation>
    </message>
    <message>
        <source>Left out by the search</source>
        <translation>被搜索略去</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>本机上的模型</translation>
    </message>
    <message>
        <source>Get a model</source>
        <translation>获取模型</translation>
    </message>
    <message>
        <source>Searching: %1…</source>
        <translation>正在搜索：%1…</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>Models: %1</source>
        <translation>模型：%1</translation>
    </message>
    <message>
        <source>%1. The search stopped at its limit; there may be more.</source>
        <translation>%1。搜索到达上限而停止；可能还有更多。</translation>
    </message>
    <message>
        <source>Left out (%1)</source>
        <translation>已略去 (%1)</translation>
    </message>
    <message>
        <source>%1 is not there any more.</source>
        <translation>%1 已不在了。</translation>
    </message>
    <message>
        <source>Download it again, or open another one.</source>
        <translation>重新下载它，或打开另一个。</translation>
    </message>
    <message>
        <source>%1 has been downloaded.</source>
        <translation>%1 已下载。</translation>
    </message>
    <message>
        <source>It is selected among the models on this computer.</source>
        <translation>它已在本机上的模型中选中。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>%1 cannot be opened.</source>
        <translation>无法打开 %1。</translation>
    </message>
    <message>
        <source>Press “Search again” to see what is.</source>
        <translation>按“重新搜索”，看看有什么。</translation>
    </message>
    <message>
        <source>Open it once more to load it all the same.</source>
        <translation>再打开一次，即可仍然加载它。</translation>
    </message>
    <message>
        <source>Press “Use as draft” once more to load it all the same.</source>
        <translation>再按一次“用作草稿模型”，即可仍然加载它。</translation>
    </message>
</context>
<context>
    <name>vitrine::OperationsModel</name>
    <message>
        <source>%1 GFLOP/s, %2</source>
        <translation>%1 GFLOP/s，%2</translation>
    </message>
    <message>
        <source>%1 GFLOP/s</source>
        <translation>%1 GFLOP/s</translation>
    </message>
    <message>
        <source>%1 GFLOP/s of %2</source>
        <translation>%1 GFLOP/s（%2）</translation>
    </message>
    <message>
        <source>forward %1 · %2 %3</source>
        <translation>前向 %1 · %2 %3</translation>
    </message>
    <message>
        <source>After a step, the time of its forward is here, operation by operation.</source>
        <translation>一步之后，这里逐个运算显示其前向的用时。</translation>
    </message>
    <message>
        <source>Not measured: this step computed nothing, or it ran where operations are not measured, in the chat or on the command line.</source>
        <translation>未测量：这一步没有计算任何东西，或者它运行在不测量运算的地方，例如聊天或命令行。</translation>
    </message>
    <message>
        <source>the device</source>
        <translation>该设备</translation>
    </message>
    <message>
        <source>The limits of %1 are not in this run. A trace has them from trace record --operations.</source>
        <translation>这次运行中没有 %1 的上限。用 trace record --operations 录制的轨迹中有。</translation>
    </message>
    <message numerus="yes">
        <source>%1: %2, %3 of the forward, %n call(s)</source>
        <translation><numerusform>%1：%2，占前向的 %3，%n 次调用</numerusform></translation>
    </message>
    <message>
        <source>%1 moved, %2 million floating-point operations: %3 for each byte</source>
        <translation>搬运 %1，%2 百万次浮点运算：每字节 %3 次</translation>
    </message>
    <message>
        <source>%1 moved, %2 million operations in %3: %4 for each byte</source>
        <translation>搬运 %1，%2 百万次 %3 运算：每字节 %4 次</translation>
    </message>
    <message>
        <source>The limits do not have the peak of %1 arithmetic.</source>
        <translation>上限中没有 %1 运算的峰值。</translation>
    </message>
    <message>
        <source>%1 GFLOP/s, %2 GB/s</source>
        <translation>%1 GFLOP/s，%2 GB/s</translation>
    </message>
    <message>
        <source>Limited by arithmetic: %1 of the peak of %2 GFLOP/s</source>
        <translation>受运算限制：%2 GFLOP/s 峰值的 %1</translation>
    </message>
    <message>
        <source>Limited by %1 arithmetic: %2 of its peak of %3 GFLOP/s</source>
        <translation>受 %1 运算限制：其 %3 GFLOP/s 峰值的 %2</translation>
    </message>
    <message>
        <source>Limited by memory: %1 of %2</source>
        <translation>受内存限制：%2 的 %1</translation>
    </message>
    <message>
        <source>The step reads %1 of weights, keys and values once, before it reads any of them again.</source>
        <translation>这一步先把 %1 的权重、键和值读取一遍，之后才会重复读取其中任何部分。</translation>
    </message>
    <message>
        <source>The limits are those of %1, which computed this.</source>
        <translation>上限是执行这些计算的 %1 的上限。</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>FLOP</source>
        <translation>FLOP</translation>
    </message>
    <message>
        <source>FLOP/byte</source>
        <translation>FLOP/字节</translation>
    </message>
    <message>
        <source>GFLOP/s</source>
        <translation>GFLOP/s</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>Of its limit</source>
        <translation>占上限</translation>
    </message>
</context>
<context>
    <name>vitrine::PackedGroupModel</name>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>%1 − %2</source>
        <translation>%1 − %2</translation>
    </message>
    <message>
        <source>%1 + %2</source>
        <translation>%1 + %2</translation>
    </message>
    <message>
        <source>Floats: each weight has all its own bits, and no scale is shared.</source>
        <translation>浮点数：每个权重都有自己的全部比特，不共享缩放因子。</translation>
    </message>
    <message>
        <source>weight = %1</source>
        <translation>权重 = %1</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>input %1: %2</source>
        <translation>输入 %1：%2</translation>
    </message>
    <message>
        <source>(%1)</source>
        <translation>(%1)</translation>
    </message>
    <message>
        <source>input %1: bits %2 stand for %3; %4 = %5</source>
        <translation>输入 %1：比特 %2 代表 %3；%4 = %5</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>比特</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
</context>
<context>
    <name>vitrine::PackedGroupView</name>
    <message>
        <source>A group of weights</source>
        <translation>一个权重分组</translation>
    </message>
    <message>
        <source>The weights of one output that share a scale.</source>
        <translation>一个输出中共享一个缩放因子的权重。</translation>
    </message>
</context>
<context>
    <name>vitrine::PaintedView</name>
    <message>
        <source>Save the picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>The picture was not saved</source>
        <translation>图片未保存</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>放大(&amp;I)</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>缩小(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Copy as CSV</source>
        <translation>复制为 CSV(&amp;C)</translation>
    </message>
    <message>
        <source>Copy &amp;picture</source>
        <translation>复制图片(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Save picture as SVG or PNG…</source>
        <translation>把图片保存为 SVG 或 PNG(&amp;S)…</translation>
    </message>
</context>
<context>
    <name>vitrine::PaletteOpening</name>
    <message>
        <source>Chats</source>
        <translation>聊天</translation>
    </message>
</context>
<context>
    <name>vitrine::PanelDock</name>
    <message>
        <source>&amp;Dock “%1” again</source>
        <translation>重新停靠“%1”(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Float “%1” in its own window</source>
        <translation>让“%1”浮动为单独的窗口(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Close “%1”</source>
        <translation>关闭“%1”(&amp;C)</translation>
    </message>
</context>
<context>
    <name>vitrine::PanelHeader</name>
    <message>
        <source>%1, in short</source>
        <translation>%1，概要</translation>
    </message>
    <message>
        <source>Float or close %1</source>
        <translation>浮动或关闭“%1”</translation>
    </message>
    <message>
        <source>Float or close this panel</source>
        <translation>浮动或关闭这个面板</translation>
    </message>
</context>
<context>
    <name>vitrine::Panels</name>
    <message>
        <source>Lanes</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Beams</source>
        <translation>束</translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation>推测解码</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Why this step?</source>
        <translation>为什么是这一步？</translation>
    </message>
    <message>
        <source>KV memory</source>
        <translation>KV 内存</translation>
    </message>
    <message>
        <source>Sampler</source>
        <translation>采样器</translation>
    </message>
    <message>
        <source>Predict</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Block table</source>
        <translation>块表</translation>
    </message>
    <message>
        <source>The blocks of the chosen request, while it has some.</source>
        <translation>所选请求的块，只要它还持有块。</translation>
    </message>
    <message>
        <source>Blocks of the chosen request, one a line</source>
        <translation>所选请求的块，每行一个</translation>
    </message>
    <message>
        <source>Prefix tree</source>
        <translation>前缀树</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>曲线图</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Each step adds a row here.</source>
        <translation>每一步在这里加一行。</translation>
    </message>
    <message>
        <source>Figures of the steps, one step a line</source>
        <translation>各步的数值，每行一步</translation>
    </message>
    <message>
        <source>Blocked by</source>
        <translation>受阻原因</translation>
    </message>
    <message>
        <source>Two steps</source>
        <translation>两步对比</translation>
    </message>
</context>
<context>
    <name>vitrine::Perspectives</name>
    <message>
        <source>Time axis</source>
        <translation>时间轴</translation>
    </message>
    <message>
        <source>Plots, events, metrics</source>
        <translation>曲线图、事件、指标</translation>
    </message>
    <message>
        <source>Open or close the drawer with plots, events, metrics and reasons to wait</source>
        <translation>打开或关闭含曲线图、事件、指标和等待原因的抽屉</translation>
    </message>
    <message>
        <source>Just &amp;chat</source>
        <translation>只聊天(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Step through the machine</source>
        <translation>单步查看机器(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Present</source>
        <translation>演示(&amp;P)</translation>
    </message>
</context>
<context>
    <name>vitrine::PhaseStrip</name>
    <message>
        <source>Waiting requests join the running ones, in the order of the policy.</source>
        <translation>等待的请求按策略的顺序加入运行中的请求。</translation>
    </message>
    <message>
        <source>The token budget is shared out: decodes first, then prefill chunks.</source>
        <translation>分配 token 预算：先给解码，再给预填充分块。</translation>
    </message>
    <message>
        <source>Each token that will be computed gets a place in a KV block.</source>
        <translation>将要计算的每个 token 在 KV 块中得到一个位置。</translation>
    </message>
    <message>
        <source>One pass through the model computes all planned tokens.</source>
        <translation>一次通过模型，计算所有规划的 token。</translation>
    </message>
    <message>
        <source>Each finished position gives probabilities, and a token is chosen from them.</source>
        <translation>每个算完的位置给出概率，从中选择一个 token。</translation>
    </message>
    <message>
        <source>New tokens are appended, full blocks registered, finished requests released.</source>
        <translation>追加新 token，登记已填满的块，释放已完成的请求。</translation>
    </message>
    <message>
        <source>Phases of the step</source>
        <translation>这一步的阶段</translation>
    </message>
    <message>
        <source>%1 ✓</source>
        <translation>%1 ✓</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>vitrine::PlotView</name>
    <message>
        <source>Rates, batch, blocks, queue and latencies are drawn here, step by step.</source>
        <translation>这里逐步绘制速率、批次、块、队列和延迟。</translation>
    </message>
    <message>
        <source>Live plots</source>
        <translation>实时曲线图</translation>
    </message>
    <message>
        <source>No step has finished yet.</source>
        <translation>还没有完成的步。</translation>
    </message>
    <message>
        <source>pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Freeze the plots while the run goes on (Space)</source>
        <translation>冻结曲线图，运行继续 (Space)</translation>
    </message>
    <message>
        <source>fit</source>
        <translation>适应</translation>
    </message>
    <message>
        <source>Show the whole run (0); zoom with + and −, or with Ctrl and the wheel</source>
        <translation>显示整个运行 (0)；用 + 和 − 或 Ctrl 加滚轮缩放</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>paused · step %1</source>
        <translation>已暂停 · 第 %1 步</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>Save the plots</source>
        <translation>保存曲线图</translation>
    </message>
    <message>
        <source>plots.svg</source>
        <translation>plots.svg</translation>
    </message>
    <message>
        <source>The plots were not saved</source>
        <translation>曲线图未保存</translation>
    </message>
    <message>
        <source>&amp;Go on</source>
        <translation>继续(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Pause the plots</source>
        <translation>暂停曲线图(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Fit the whole run</source>
        <translation>适应整个运行(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Copy as CSV</source>
        <translation>复制为 CSV(&amp;C)</translation>
    </message>
    <message>
        <source>C&amp;opy picture</source>
        <translation>复制图片(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Save picture as SVG or PNG…</source>
        <translation>把图片保存为 SVG 或 PNG(&amp;S)…</translation>
    </message>
</context>
<context>
    <name>vitrine::PredictionView</name>
    <message>
        <source>Guess, then step</source>
        <translation>先猜，再单步</translation>
    </message>
    <message>
        <source>Ask another</source>
        <translation>换一题</translation>
    </message>
    <message>
        <source>Ask something else about the same step</source>
        <translation>就同一步问别的问题</translation>
    </message>
    <message>
        <source>Start anew</source>
        <translation>重新计分</translation>
    </message>
    <message>
        <source>Set the score to nothing</source>
        <translation>把得分清零</translation>
    </message>
    <message>
        <source>Predict, then step</source>
        <translation>先预测，再单步</translation>
    </message>
    <message>
        <source>What the last guess earned</source>
        <translation>上一次猜测的得分</translation>
    </message>
    <message>
        <source>The question</source>
        <translation>题目</translation>
    </message>
    <message>
        <source>Your guess</source>
        <translation>你的猜测</translation>
    </message>
    <message>
        <source>Keep the guess, do the step, and see what came</source>
        <translation>记下猜测，走这一步，看看结果</translation>
    </message>
    <message>
        <source>%1 of %2 points</source>
        <translation>%1 / %2 分</translation>
    </message>
    <message>
        <source>When a request waits or runs, a question about the next step stands here.</source>
        <translation>有请求在等待或运行时，这里会出一道关于下一步的题。</translation>
    </message>
    <message>
        <source>✓ Step %1: %2. Points: %3.</source>
        <translation>✓ 第 %1 步：%2。得分：%3。</translation>
    </message>
    <message>
        <source>✗ Step %1: %2, and not %3. Points: %4.</source>
        <translation>✗ 第 %1 步：%2，而不是 %3。得分：%4。</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>Guess none, then step</source>
        <translation>不猜，直接单步</translation>
    </message>
</context>
<context>
    <name>vitrine::PrefixTreeModel</name>
    <message>
        <source>cached blocks: %1</source>
        <translation>已缓存的块：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n cached block(s) · %1 in use</source>
        <translation><numerusform>%n 个已缓存的块 · %1 个使用中</numerusform></translation>
    </message>
    <message>
        <source>tokens from before the recording began</source>
        <translation>来自录制开始之前的 token</translation>
    </message>
    <message>
        <source>tokens without their text</source>
        <translation>没有文本的 token</translation>
    </message>
    <message>
        <source>tokens of a beam</source>
        <translation>一个束的 token</translation>
    </message>
    <message>
        <source>tokens without text</source>
        <translation>没有文本的 token</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation><numerusform>%n 个块</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation><numerusform>%n 个 token</numerusform></translation>
    </message>
    <message>
        <source>evicted</source>
        <translation>已驱逐</translation>
    </message>
    <message>
        <source>hit now</source>
        <translation>现在命中</translation>
    </message>
    <message>
        <source>new</source>
        <translation>新</translation>
    </message>
    <message>
        <source>free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>%1 %2 of %3</source>
        <translation>%1 %2 / %3</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>evicted in this step</source>
        <translation>在这一步被驱逐</translation>
    </message>
    <message>
        <source>whether a request holds it is not told</source>
        <translation>未告知是否有请求持有它</translation>
    </message>
    <message>
        <source>evicted in this step: the memory was needed for other tokens</source>
        <translation>在这一步被驱逐：内存要用于其他 token</translation>
    </message>
    <message>
        <source>held by no request: free, and still cached</source>
        <translation>没有请求持有：空闲，且仍已缓存</translation>
    </message>
    <message>
        <source>held by %1</source>
        <translation>由 %1 持有</translation>
    </message>
    <message numerus="yes">
        <source>found %n time(s) in the cache</source>
        <translation><numerusform>在缓存中找到 %n 次</numerusform></translation>
    </message>
    <message>
        <source>found in this step</source>
        <translation>在这一步找到</translation>
    </message>
    <message>
        <source>registered in this step</source>
        <translation>在这一步登记</translation>
    </message>
    <message>
        <source>the blocks before it were evicted, so no prompt finds it</source>
        <translation>它前面的块已被驱逐，因此没有提示词能找到它</translation>
    </message>
    <message>
        <source>the blocks before it are not recorded</source>
        <translation>它前面的块没有录制</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Continues node</source>
        <translation>所续节点</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>命中</translation>
    </message>
    <message>
        <source>Held by</source>
        <translation>持有者</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>vitrine::PrefixTreeView</name>
    <message>
        <source>Prefix tree</source>
        <translation>前缀树</translation>
    </message>
    <message>
        <source>A vLLM that publishes KV events shows its prefix chains here.</source>
        <translation>发布 KV 事件的 vLLM 会在这里显示其前缀链。</translation>
    </message>
    <message>
        <source>No block is cached yet. A block enters the prefix cache when all its slots are filled; two prompts that begin alike share a node.</source>
        <translation>还没有已缓存的块。块的所有槽位填满后才进入前缀缓存；开头相同的两个提示词共享一个节点。</translation>
    </message>
    <message numerus="yes">
        <source>%n hit(s)</source>
        <translation><numerusform>%n 次命中</numerusform></translation>
    </message>
</context>
<context>
    <name>vitrine::PromptBar</name>
    <message>
        <source>Tokens by whose they are</source>
        <translation>token，按来源着色</translation>
    </message>
</context>
<context>
    <name>vitrine::PromptBlocks</name>
    <message>
        <source>Blocks of the prompt</source>
        <translation>提示词的块</translation>
    </message>
    <message>
        <source>Blocks of %1 tokens: %2 from the cache, %3 lost, %4 computed in all</source>
        <translation>每块 %1 个 token：%2 个来自缓存，%3 个丢失，共计算 %4 个</translation>
    </message>
    <message>
        <source>Filled: from the cache. Hatched: lost. Empty: computed.</source>
        <translation>实心：来自缓存。斜线：丢失。空心：已计算。</translation>
    </message>
    <message>
        <source>cached</source>
        <translation>已缓存</translation>
    </message>
    <message>
        <source>this prompt</source>
        <translation>本提示词</translation>
    </message>
</context>
<context>
    <name>vitrine::PromptLooker</name>
    <message>
        <source>Open a model first: its template and its tokenizer make the prompt.</source>
        <translation>先打开一个模型：提示词由它的模板和分词器生成。</translation>
    </message>
    <message>
        <source>No question yet. The text of your message appears here as the model reads it.</source>
        <translation>还没有提问。你的消息文本会按模型所读的样子显示在这里。</translation>
    </message>
    <message>
        <source>This model has no tokenizer, so it reads no text.</source>
        <translation>这个模型没有分词器，因此不读文本。</translation>
    </message>
</context>
<context>
    <name>vitrine::PromptModel</name>
    <message>
        <source>answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>message %1</source>
        <translation>消息 %1</translation>
    </message>
    <message>
        <source>message %1 (%2)</source>
        <translation>消息 %1（%2）</translation>
    </message>
    <message>
        <source>Token %1 of %2</source>
        <translation>第 %1 个 token，共 %2 个</translation>
    </message>
    <message>
        <source>special token %1</source>
        <translation>特殊 token %1</translation>
    </message>
    <message>
        <source>more of the same letter</source>
        <translation>同一个字符的后续部分</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>put there by the tokenizer</source>
        <translation>由分词器放入</translation>
    </message>
    <message>
        <source>words of %1</source>
        <translation>%1 的文字</translation>
    </message>
    <message>
        <source>the template's, to begin the answer</source>
        <translation>模板的，用于开始回答</translation>
    </message>
    <message>
        <source>the template's</source>
        <translation>模板的</translation>
    </message>
    <message>
        <source>the template's, around %1</source>
        <translation>模板的，围绕 %1</translation>
    </message>
    <message>
        <source>, the name of a special token that was typed</source>
        <translation>，是输入的特殊 token 名称</translation>
    </message>
    <message>
        <source>, the first that differs from the last prompt</source>
        <translation>，第一个与上一个提示词不同的 token</translation>
    </message>
    <message>
        <source>, from line %1</source>
        <translation>，来自第 %1 行</translation>
    </message>
    <message>
        <source>%1: %2, id %3; %4%5</source>
        <translation>%1：%2，id %3；%4%5</translation>
    </message>
    <message>
        <source>No line wrote this: the tokenizer puts this token there.</source>
        <translation>没有哪一行写出它：这个 token 由分词器放在这里。</translation>
    </message>
    <message>
        <source>Line %1 wrote this: the beginning of the answer.</source>
        <translation>由第 %1 行写出：回答的开头。</translation>
    </message>
    <message>
        <source>Line %1 wrote this: text of its own, for no message.</source>
        <translation>由第 %1 行写出：模板自己的文本，不属于任何消息。</translation>
    </message>
    <message>
        <source>Line %1 wrote this: the role and the words of %2, between special tokens.</source>
        <translation>由第 %1 行写出：%2 的角色和文字，位于特殊 token 之间。</translation>
    </message>
    <message>
        <source>Line %1 wrote this: the role and the words of %2.</source>
        <translation>由第 %1 行写出：%2 的角色和文字。</translation>
    </message>
    <message>
        <source>Line %1 wrote this: the words of %2, beside special tokens.</source>
        <translation>由第 %1 行写出：%2 的文字，旁边有特殊 token。</translation>
    </message>
    <message>
        <source>Line %1 wrote this: the words of %2.</source>
        <translation>由第 %1 行写出：%2 的文字。</translation>
    </message>
    <message>
        <source>Line %1 wrote this: text of its own, for %2.</source>
        <translation>由第 %1 行写出：模板自己的文本，用于 %2。</translation>
    </message>
    <message>
        <source>Line %1 wrote nothing of this prompt.</source>
        <translation>第 %1 行没有写出这个提示词的任何内容。</translation>
    </message>
    <message numerus="yes">
        <source>Line %1 wrote %n token(s).</source>
        <translation><numerusform>第 %1 行写出了 %n 个 token。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation><numerusform>%n 条消息</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Line %1 wrote %n token(s), in %2.</source>
        <translation><numerusform>第 %1 行写出了 %n 个 token，分布在 %2中。</numerusform></translation>
    </message>
    <message>
        <source>the words beside the calls of %1</source>
        <translation>%1 的调用之外的文字</translation>
    </message>
    <message>
        <source>the calls of %1</source>
        <translation>%1 的调用</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>另外 %1 个</translation>
    </message>
    <message>
        <source>The template leaves out: %1</source>
        <translation>模板略去：%1</translation>
    </message>
    <message>
        <source>The first token differs from the last prompt's, so nothing of that can be taken from a cache.</source>
        <translation>第一个 token 就与上一个提示词不同，因此无法从缓存中取用任何内容。</translation>
    </message>
    <message numerus="yes">
        <source>The first %n token(s) are those of the last prompt and its answer</source>
        <translation><numerusform>前 %n 个 token 与上一个提示词及其回答相同</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>The first %n token(s) are those of the last prompt</source>
        <translation><numerusform>前 %n 个 token 与上一个提示词相同</numerusform></translation>
    </message>
    <message>
        <source>%1: the KV can be taken from the prefix cache, in whole blocks.</source>
        <translation>%1：其 KV 可以按整块从前缀缓存取用。</translation>
    </message>
    <message>
        <source>%1. The machine runs without the prefix cache, so all is computed again.</source>
        <translation>%1。机器没有使用前缀缓存，因此全部重算。</translation>
    </message>
    <message>
        <source>Token %1 differs: the template drops earlier thoughts.</source>
        <translation>第 %1 个 token 不同：模板丢弃了之前的思考。</translation>
    </message>
    <message>
        <source>Token %1 differs: it is “%2”, and was “%3”.</source>
        <translation>第 %1 个 token 不同：现在是“%2”，原来是“%3”。</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>Id</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Written by</source>
        <translation>写出者</translation>
    </message>
    <message>
        <source>tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>system</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>user</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
</context>
<context>
    <name>vitrine::PromptPage</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation><numerusform>%n 个 token</numerusform></translation>
    </message>
    <message>
        <source>The thoughts of message %1 (%2) are left out: the template drops them.</source>
        <translation>消息 %1（%2）的思考已略去：模板丢弃了它。</translation>
    </message>
    <message numerus="yes">
        <source>The thoughts of %n answer(s) (%1) are left out: the template drops them.</source>
        <translation><numerusform>%n 个回答（%1）的思考已略去：模板丢弃了它们。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n ordinary token(s)</source>
        <translation><numerusform>%n 个普通 token</numerusform></translation>
    </message>
    <message>
        <source>Typed special tokens count here, as the template's own do. As text they would be %1.</source>
        <translation>输入的特殊 token 在这里与模板自己的一样起作用。若作为文本，则是 %1。</translation>
    </message>
    <message>
        <source>Typed names of special tokens (dotted line) are read as %1.</source>
        <translation>输入的特殊 token 名称（虚线）被读作 %1。</translation>
    </message>
    <message>
        <source>plain form of this program: %1</source>
        <translation>本程序的简单形式：%1</translation>
    </message>
    <message>
        <source>plain form of this program</source>
        <translation>本程序的简单形式</translation>
    </message>
    <message>
        <source>Typed special tokens</source>
        <translation>输入的特殊 token</translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Beside the last prompt</source>
        <translation>与上一个提示词对比</translation>
    </message>
    <message>
        <source>Line of the template that wrote the token</source>
        <translation>写出该 token 的模板行</translation>
    </message>
    <message>
        <source>Read this chat the other way from now on: a choice of the chat</source>
        <translation>从现在起以另一种方式读取本聊天：这是聊天的一项设置</translation>
    </message>
    <message>
        <source>Go there</source>
        <translation>转到那里</translation>
    </message>
    <message>
        <source>To the first token that differs from the last prompt</source>
        <translation>转到第一个与上一个提示词不同的 token</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>From the cache</source>
        <translation>来自缓存</translation>
    </message>
    <message>
        <source>‹ Conversation</source>
        <translation>‹ 对话</translation>
    </message>
    <message>
        <source>Back to the conversation (Esc)</source>
        <translation>回到对话 (Esc)</translation>
    </message>
    <message>
        <source>The prompt as tokens</source>
        <translation>提示词的 token</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>复制文本</translation>
    </message>
    <message>
        <source>The prompt as text, special tokens written out</source>
        <translation>提示词的文本，特殊 token 原样写出</translation>
    </message>
    <message>
        <source>Text copied.</source>
        <translation>文本已复制。</translation>
    </message>
    <message>
        <source>Copy ids</source>
        <translation>复制 id</translation>
    </message>
    <message>
        <source>The ids of the tokens, as generate --token-ids takes them</source>
        <translation>token 的 id，格式与 generate --token-ids 所接受的相同</translation>
    </message>
    <message>
        <source>Ids copied.</source>
        <translation>id 已复制。</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>A command of vitrine-cli that writes the same text and the same tokens</source>
        <translation>vitrine-cli 的一条命令，写出相同的文本和相同的 token</translation>
    </message>
    <message>
        <source>Command copied.</source>
        <translation>命令已复制。</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Where the template is from</source>
        <translation>模板的来源</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>This template writes nothing for this conversation.</source>
        <translation>这个模板没有为这段对话写出任何内容。</translation>
    </message>
    <message>
        <source>The chat template refuses this conversation:
“%1”</source>
        <translation>聊天模板拒绝这段对话：
“%1”</translation>
    </message>
    <message>
        <source>%1 from the cache, %2 to compute</source>
        <translation>%1 来自缓存，%2 待计算</translation>
    </message>
    <message>
        <source>Read them as text</source>
        <translation>按文本读取</translation>
    </message>
    <message>
        <source>What if they were not?</source>
        <translation>如果不这样呢？</translation>
    </message>
    <message>
        <source>Point at a token for its line, click a line for its tokens. ◀ ▶ ▲ ▼ go from token to token.</source>
        <translation>指向 token 查看其所在行，单击某一行查看其 token。◀ ▶ ▲ ▼ 在 token 之间移动。</translation>
    </message>
</context>
<context>
    <name>vitrine::PromptReuseLine</name>
    <message>
        <source>The part of the prompt that was computed again, and why</source>
        <translation>提示词中重算的部分，以及原因</translation>
    </message>
</context>
<context>
    <name>vitrine::PromptReuseView</name>
    <message>
        <source>Why the prompt was computed</source>
        <translation>为什么要计算提示词</translation>
    </message>
</context>
<context>
    <name>vitrine::PromptView</name>
    <message>
        <source>The prompt as the model reads it</source>
        <translation>模型所读到的提示词</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation><numerusform>%n 个 token</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n of them written by the template</source>
        <translation><numerusform>其中 %n 个由模板写出</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) left out</source>
        <translation><numerusform>略去 %n 条消息</numerusform></translation>
    </message>
    <message>
        <source>the answer begins here</source>
        <translation>回答从这里开始</translation>
    </message>
</context>
<context>
    <name>vitrine::RemoteRun</name>
    <message>
        <source>The connection to %1 was lost.</source>
        <translation>与 %1 的连接已断开。</translation>
    </message>
    <message>
        <source>It is tried again until it is there, or something else is opened.</source>
        <translation>会一直重试，直到恢复连接，或打开了别的内容。</translation>
    </message>
</context>
<context>
    <name>vitrine::RemoteSteering</name>
    <message>
        <source>%1 has refused it: %2.</source>
        <translation>%1 已拒绝：%2。</translation>
    </message>
    <message>
        <source>%1 has not answered: %2.</source>
        <translation>%1 没有应答：%2。</translation>
    </message>
</context>
<context>
    <name>vitrine::RequestCards</name>
    <message>
        <source>show few</source>
        <translation>少显示</translation>
    </message>
    <message>
        <source>show all</source>
        <translation>全部显示</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s)</source>
        <translation><numerusform>%n 个块</numerusform></translation>
    </message>
</context>
<context>
    <name>vitrine::RequestDialog</name>
    <message>
        <source>Send a request</source>
        <translation>发送请求</translation>
    </message>
    <message>
        <source>A chat of one message for the model of %1. It joins the requests there, and the views show its answer as it comes.</source>
        <translation>给 %1 的模型的一条消息的聊天。它加入那里的请求，各视图会随回答的到来而显示它。</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Longest answer in tokens</source>
        <translation>回答的最大长度（token 数）</translation>
    </message>
    <message>
        <source>&amp;Message</source>
        <translation>消息(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Tokens at most</source>
        <translation>最多 token 数(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Send</source>
        <translation>发送(&amp;S)</translation>
    </message>
</context>
<context>
    <name>vitrine::RequestForm</name>
    <message>
        <source>The chosen request</source>
        <translation>所选的请求</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Answers, events and commands call the request by this name.</source>
        <translation>回答、事件和命令以此名称称呼该请求。</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>The text that the model continues.</source>
        <translation>由模型续写的文本。</translation>
    </message>
    <message>
        <source>Arrives after step</source>
        <translation>到达于此步之后</translation>
    </message>
    <message>
        <source>The request joins the queue after so many steps of the machine; 0: before the first.</source>
        <translation>机器走过这么多步之后，请求加入队列；0：在第一步之前。</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>Cancelled after step</source>
        <translation>取消于此步之后</translation>
    </message>
    <message>
        <source>The request is cancelled after so many steps, if it has not finished.</source>
        <translation>走过这么多步之后，如果请求尚未完成，则取消它。</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
</context>
<context>
    <name>vitrine::RequestListModel</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation><numerusform>%n 个运行中</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n wait(s)</source>
        <translation><numerusform>%n 个等待中</numerusform></translation>
    </message>
    <message>
        <source>%1 finished</source>
        <translation>%1 个已完成</translation>
    </message>
    <message>
        <source>Letter</source>
        <translation>字母</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Computed</source>
        <translation>已计算</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Cached</source>
        <translation>已缓存</translation>
    </message>
    <message>
        <source>Preemptions</source>
        <translation>抢占次数</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>Deadline</source>
        <translation>截止时间</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首个 token</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>%1, %2: %3. %4</source>
        <translation>%1，%2：%3。%4</translation>
    </message>
    <message>
        <source>%1 (%2)
Prompt: %3
Tokens: %4 of %5 computed, at most %6 more to generate
Blocks: %7 · from the prefix cache: %8 tokens · preempted %9 times</source>
        <translation>%1（%2）
提示词：%3
token：已计算 %4 / %5，最多再生成 %6 个
块：%7 · 来自前缀缓存：%8 个 token · 被抢占 %9 次</translation>
    </message>
    <message>
        <source>Status: %1</source>
        <translation>状态：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n beam(s): %1</source>
        <translation><numerusform>%n 个束：%1</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s): %1</source>
        <translation><numerusform>%n 个回答：%1</numerusform></translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>prompt tokens: %1</source>
        <translation>提示词 token：%1</translation>
    </message>
</context>
<context>
    <name>vitrine::RequestOrder</name>
    <message>
        <source>Running · %1</source>
        <translation>运行中 · %1</translation>
    </message>
    <message>
        <source>Waiting · %1</source>
        <translation>等待中 · %1</translation>
    </message>
    <message>
        <source>Finished · %1</source>
        <translation>已完成 · %1</translation>
    </message>
    <message>
        <source>%1 finished, the last %2 shown</source>
        <translation>已完成 %1 个，显示最后 %2 个</translation>
    </message>
</context>
<context>
    <name>vitrine::RequestsView</name>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>No requests yet: each message of a chat becomes one.</source>
        <translation>还没有请求：聊天的每条消息会成为一个请求。</translation>
    </message>
    <message>
        <source>Show &amp;all finished requests</source>
        <translation>显示所有已完成的请求(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Stop this request</source>
        <translation>停止这个请求(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Copy its text</source>
        <translation>复制其文本(&amp;C)</translation>
    </message>
    <message>
        <source>Show its &amp;events</source>
        <translation>显示其事件(&amp;E)</translation>
    </message>
    <message>
        <source>Show each answe&amp;r</source>
        <translation>显示每个回答(&amp;R)</translation>
    </message>
</context>
<context>
    <name>vitrine::RooflineView</name>
    <message>
        <source>Where the time of the forward goes</source>
        <translation>前向的时间用在哪里</translation>
    </message>
    <message>
        <source>operation</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>of limit</source>
        <translation>占上限</translation>
    </message>
    <message>
        <source>%1 of FLOP/s</source>
        <translation>FLOP/s 的 %1</translation>
    </message>
    <message>
        <source>%1 of GB/s</source>
        <translation>GB/s 的 %1</translation>
    </message>
    <message>
        <source>operations for each byte →</source>
        <translation>每字节的运算次数 →</translation>
    </message>
    <message>
        <source>↑ GFLOP/s · ◆ memory limits, ● arithmetic limits · area: time</source>
        <translation>↑ GFLOP/s · ◆ 受内存限制，● 受运算限制 · 面积：时间</translation>
    </message>
</context>
<context>
    <name>vitrine::RunArchive</name>
    <message>
        <source>Reading the run</source>
        <translation>正在读取运行</translation>
    </message>
    <message>
        <source>Open the recording</source>
        <translation>打开录制</translation>
    </message>
    <message>
        <source>Attach</source>
        <translation>附接</translation>
    </message>
    <message>
        <source>Attaching to %1</source>
        <translation>正在附接到 %1</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%2 上的 %1</translation>
    </message>
</context>
<context>
    <name>vitrine::RunMenu</name>
    <message>
        <source>Traces (*.vitrine)</source>
        <translation>轨迹 (*.vitrine)</translation>
    </message>
    <message>
        <source>&amp;Recording</source>
        <translation>录制(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save the run as a trace…</source>
        <translation>把运行保存为轨迹(&amp;S)…</translation>
    </message>
    <message>
        <source>E&amp;xport a timeline for Perfetto…</source>
        <translation>导出 Perfetto 时间线(&amp;X)…</translation>
    </message>
    <message>
        <source>Export a &amp;page for browsers…</source>
        <translation>导出浏览器页面(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Earlier runs</source>
        <translation>较早的运行(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Open a trace…</source>
        <translation>打开轨迹(&amp;O)…</translation>
    </message>
    <message>
        <source>A recorded run, which needs no model to be looked at</source>
        <translation>录制的运行，查看它不需要模型</translation>
    </message>
    <message>
        <source>The run as JSON for ui.perfetto.dev and chrome://tracing: a track for each phase and each sequence</source>
        <translation>运行的 JSON，供 ui.perfetto.dev 和 chrome://tracing 使用：每个阶段和每个序列一条轨道</translation>
    </message>
    <message>
        <source>The run as one HTML file that opens anywhere, without Vitrine and without a network: to step through</source>
        <translation>运行存为一个 HTML 文件，在任何地方都能打开，不需要 Vitrine 也不需要网络：可逐步查看</translation>
    </message>
    <message>
        <source>Open &amp;bench results…</source>
        <translation>打开基准测试结果(&amp;B)…</translation>
    </message>
    <message>
        <source>Measurements that vitrine-cli bench has kept, as tables and plots</source>
        <translation>vitrine-cli bench 保存的测量结果，以表格和曲线图显示</translation>
    </message>
    <message>
        <source>A machine goes back to the step shown and can run on from there; the run of before is kept</source>
        <translation>机器回到所显示的步，可从那里继续运行；之前的运行会保留</translation>
    </message>
    <message>
        <source>The same with another policy, budget, prefix cache, preemption or drafter; at step 0 with any</source>
        <translation>同样操作，但采用另一种策略、预算、前缀缓存、抢占或草稿器；在第 0 步时可更改任何选项</translation>
    </message>
    <message>
        <source>&amp;Resume from step %1</source>
        <translation>从第 %1 步恢复(&amp;R)</translation>
    </message>
    <message>
        <source>Resume from step %1 &amp;with other options…</source>
        <translation>以其他选项从第 %1 步恢复(&amp;W)…</translation>
    </message>
    <message>
        <source>Open a trace</source>
        <translation>打开轨迹</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Save the run as a trace</source>
        <translation>把运行保存为轨迹</translation>
    </message>
    <message>
        <source>Export a timeline for Perfetto</source>
        <translation>导出 Perfetto 时间线</translation>
    </message>
    <message>
        <source>Timelines in the Trace Event Format (*.json)</source>
        <translation>Trace Event 格式的时间线 (*.json)</translation>
    </message>
    <message>
        <source>Export a page for browsers</source>
        <translation>导出浏览器页面</translation>
    </message>
    <message>
        <source>Pages (*.html)</source>
        <translation>页面 (*.html)</translation>
    </message>
</context>
<context>
    <name>vitrine::RunNames</name>
    <message>
        <source>swap</source>
        <translation>交换</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>重算</translation>
    </message>
    <message>
        <source>first come, first served</source>
        <translation>先到先服务</translation>
    </message>
    <message>
        <source>priorities</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>deadlines</source>
        <translation>截止时间</translation>
    </message>
    <message>
        <source>the shortest first</source>
        <translation>最短者优先</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message>
        <source>drafts of chosen lengths</source>
        <translation>草稿长度自选</translation>
    </message>
    <message>
        <source>drafts of one length</source>
        <translation>草稿长度固定</translation>
    </message>
    <message>
        <source>%1 on</source>
        <translation>%1：开</translation>
    </message>
    <message>
        <source>%1 off</source>
        <translation>%1：关</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>an option and its value</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>another %1</source>
        <translation>不同的%1</translation>
    </message>
    <message>
        <source>%1, with %2 and %3 more</source>
        <translation>%1，采用 %2 以及另外 %3 项</translation>
    </message>
    <message>
        <source>%1, with %2</source>
        <translation>%1，采用 %2</translation>
    </message>
    <message>
        <source> and </source>
        <comment>between two changes</comment>
        <translation> 和 </translation>
    </message>
    <message>
        <source>%1, resumed at step %2</source>
        <translation>%1，从第 %2 步恢复</translation>
    </message>
    <message>
        <source>Run %1 · %2</source>
        <translation>运行 %1 · %2</translation>
    </message>
    <message>
        <source>same as run %1 until step %2</source>
        <translation>到第 %2 步为止与运行 %1 相同</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>a run's name, and what it shares</comment>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>vitrine::RunOpening</name>
    <message>
        <source>Opening the run</source>
        <translation>正在打开运行</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>%1 is shown up to step %2, its last whole one.</source>
        <translation>%1 显示到第 %2 步，即最后一个完整的步。</translation>
    </message>
    <message numerus="yes">
        <source>%1 has %n event(s) that this program does not know; they are left out.</source>
        <translation><numerusform>%1 有 %n 个本程序不认识的事件；已略去。</numerusform></translation>
    </message>
    <message>
        <source>The program that recorded it shows them.</source>
        <translation>录制它的程序可以显示它们。</translation>
    </message>
    <message>
        <source>The program that recorded it was interrupted.</source>
        <translation>录制它的程序被中断了。</translation>
    </message>
</context>
<context>
    <name>vitrine::RunPill</name>
    <message>
        <source>State of the run</source>
        <translation>运行的状态</translation>
    </message>
</context>
<context>
    <name>vitrine::RunTo</name>
    <message>
        <source>The run has ended, without a further: %1</source>
        <translation>运行已结束，没有再遇到：%1</translation>
    </message>
    <message>
        <source>The recording ends at step %1 without: %2</source>
        <translation>录制在第 %1 步结束，没有遇到：%2</translation>
    </message>
    <message>
        <source>The recording ends at step %1.</source>
        <translation>录制在第 %1 步结束。</translation>
    </message>
    <message>
        <source>The run ended at step %1 without: %2</source>
        <translation>运行在第 %1 步结束，没有遇到：%2</translation>
    </message>
</context>
<context>
    <name>vitrine::RunToMenu</name>
    <message>
        <source>R&amp;un to</source>
        <translation>运行到(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Breakpoint at this step</source>
        <translation>在这一步设断点(&amp;B)</translation>
    </message>
    <message>
        <source>Book&amp;mark this step</source>
        <translation>为这一步加书签(&amp;M)</translation>
    </message>
    <message>
        <source>an e&amp;vent of a request</source>
        <translation>请求的事件(&amp;V)</translation>
    </message>
    <message>
        <source>B&amp;ookmarks</source>
        <translation>书签(&amp;O)</translation>
    </message>
    <message>
        <source>A run stops at the end of the step shown</source>
        <translation>运行在所显示的步结束时停下</translation>
    </message>
    <message>
        <source>B&amp;reakpoints…</source>
        <translation>断点(&amp;R)…</translation>
    </message>
    <message>
        <source>Run to a token</source>
        <translation>运行到某个 token</translation>
    </message>
    <message>
        <source>Its text, or its number as #273:</source>
        <translation>它的文本，或编号（如 #273）：</translation>
    </message>
    <message>
        <source>Run to an uncertain token</source>
        <translation>运行到不确定的 token</translation>
    </message>
    <message>
        <source>Entropy above so many bits:</source>
        <translation>熵高于多少比特：</translation>
    </message>
    <message>
        <source>Run to a step</source>
        <translation>运行到某一步</translation>
    </message>
    <message>
        <source>Step:</source>
        <translation>步：</translation>
    </message>
    <message>
        <source>Run to an event</source>
        <translation>运行到某个事件</translation>
    </message>
    <message>
        <source>Its name in a trace:</source>
        <translation>它在轨迹中的名称：</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>No request is left</source>
        <translation>没有剩余的请求</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>No bookmark yet</source>
        <translation>还没有书签</translation>
    </message>
</context>
<context>
    <name>vitrine::SamplerControls</name>
    <message>
        <source>0: %1.</source>
        <translation>0：%1。</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>more</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>All sampling options, the length and number of answers, and usual modes</source>
        <translation>所有采样选项、回答的长度和数量，以及常用模式</translation>
    </message>
    <message>
        <source>Reset to defaults</source>
        <translation>重置为默认值</translation>
    </message>
    <message>
        <source>Restore the sampling settings that the model came with</source>
        <translation>恢复模型自带的采样设置</translation>
    </message>
    <message numerus="yes">
        <source>%n beam(s)</source>
        <translation><numerusform>%n 个束</numerusform></translation>
    </message>
    <message>
        <source>T %1</source>
        <translation>T %1</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s)</source>
        <translation><numerusform>%n 个回答</numerusform></translation>
    </message>
</context>
<context>
    <name>vitrine::SamplerModel</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Grammar</source>
        <translation>语法</translation>
    </message>
    <message>
        <source>Penalties</source>
        <translation>惩罚</translation>
    </message>
    <message>
        <source>chosen, also in the preview</source>
        <translation>已选中，预览中也是</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>已选中</translation>
    </message>
    <message>
        <source>chosen in the preview</source>
        <translation>预览中选中</translation>
    </message>
    <message>
        <source>k, p</source>
        <translation>k, p</translation>
    </message>
    <message>
        <source>T</source>
        <translation>T</translation>
    </message>
    <message>
        <source>T, k, p, …</source>
        <translation>T, k, p, …</translation>
    </message>
    <message>
        <source>T, k, p</source>
        <translation>T, k, p</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>Id</translation>
    </message>
    <message>
        <source>Removed by</source>
        <translation>移除者</translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation>选中</translation>
    </message>
    <message>
        <source>masked</source>
        <translation>被屏蔽</translation>
    </message>
</context>
<context>
    <name>vitrine::SamplerPanel</name>
    <message>
        <source>How the token was chosen</source>
        <translation>token 是如何选中的</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo the try</source>
        <translation>撤销尝试</translation>
    </message>
    <message>
        <source>Cancel the request that was tried, and go back to where it began</source>
        <translation>取消所尝试的请求，并回到它开始的地方</translation>
    </message>
    <message>
        <source>preview: “%1”</source>
        <translation>预览：“%1”</translation>
    </message>
    <message>
        <source>drawn: “%1”</source>
        <translation>抽取：“%1”</translation>
    </message>
    <message>
        <source>Preview: %1</source>
        <translation>预览：%1</translation>
    </message>
    <message>
        <source>“%1” would go on: “%2”</source>
        <translation>“%1”会续写为：“%2”</translation>
    </message>
    <message>
        <source>“%1”: “%2”</source>
        <translation>“%1”：“%2”</translation>
    </message>
    <message>
        <source>“%1” would go on: “%2” · try it leaves step %3</source>
        <translation>“%1”会续写为：“%2” · “试试”会离开第 %3 步</translation>
    </message>
    <message>
        <source>Try it leaves step %3 · “%1”: “%2”</source>
        <translation>“试试”会离开第 %3 步 · “%1”：“%2”</translation>
    </message>
</context>
<context>
    <name>vitrine::SamplerView</name>
    <message>
        <source>Sampler, stage by stage</source>
        <translation>采样器，逐个环节</translation>
    </message>
    <message>
        <source>A beam search samples no tokens: it keeps the best continuations of all beams.</source>
        <translation>束搜索不采样 token：它保留所有束的最佳续写。</translation>
    </message>
    <message>
        <source>The candidates of the latest token appear here, and what each stage of the sampler did to them.</source>
        <translation>这里显示最新 token 的候选，以及采样器的每个环节对它们做了什么。</translation>
    </message>
    <message>
        <source>Preview: %1</source>
        <translation>预览：%1</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>“%1”, token %2</source>
        <translation>“%1”，token %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: masked. The answer is in the rule %2, which goes on with %3.</source>
        <translation>%1：被屏蔽。回答处于规则 %2 中，该规则接下来要求 %3。</translation>
    </message>
    <message>
        <source>%1: removed</source>
        <translation>%1：已移除</translation>
    </message>
    <message>
        <source>Less likely than all that are listed.</source>
        <translation>比所列的都更不可能。</translation>
    </message>
    <message>
        <source>This token was sampled.</source>
        <translation>采样了这个 token。</translation>
    </message>
    <message>
        <source>The preview chooses this token.</source>
        <translation>预览选中这个 token。</translation>
    </message>
    <message>
        <source>“try it” or Enter: a new request goes on with this token instead.</source>
        <translation>“试试”或 Enter：一个新请求改用这个 token 继续。</translation>
    </message>
    <message>
        <source>It leaves the past: the view goes from step %1 to the newest one.</source>
        <translation>这会离开过去：视图从第 %1 步转到最新的一步。</translation>
    </message>
    <message>
        <source>The candidates for position %1</source>
        <translation>位置 %1 的候选</translation>
    </message>
    <message>
        <source>%1: %2 left</source>
        <translation>%1：剩余 %2</translation>
    </message>
    <message>
        <source>The answer is in the rule %1, which goes on with %2.</source>
        <translation>回答处于规则 %1 中，该规则接下来要求 %2。</translation>
    </message>
    <message>
        <source>Top-k and top-p keep all tokens.</source>
        <translation>top-k 和 top-p 保留所有 token。</translation>
    </message>
    <message>
        <source>Click: stages share columns again</source>
        <translation>单击：各环节重新合用列</translation>
    </message>
    <message>
        <source>Click: a column for each stage</source>
        <translation>单击：每个环节一列</translation>
    </message>
    <message>
        <source>&amp;Branch with “%1”</source>
        <translation>以“%1”分支(&amp;B)</translation>
    </message>
    <message>
        <source>A column for &amp;each stage</source>
        <translation>每个环节一列(&amp;E)</translation>
    </message>
    <message>
        <source>preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>left</source>
        <translation>剩余</translation>
    </message>
    <message>
        <source>out</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Pos. %1</source>
        <translation>位置 %1</translation>
    </message>
    <message>
        <source>try it ▸</source>
        <translation>试试 ▸</translation>
    </message>
</context>
<context>
    <name>vitrine::SamplingController</name>
    <message>
        <source>As it was at step %1. Here the controls change a preview alone.</source>
        <translation>第 %1 步时的情形。这里的控件只改变预览。</translation>
    </message>
    <message>
        <source>A beam search is greedy: these do not act.</source>
        <translation>束搜索是贪心的：这些选项不起作用。</translation>
    </message>
    <message>
        <source>A change holds from token %1 of the answer on.</source>
        <translation>改动从回答的第 %1 个 token 起生效。</translation>
    </message>
    <message>
        <source>For the messages that you send from now on.</source>
        <translation>用于你从现在起发送的消息。</translation>
    </message>
</context>
<context>
    <name>vitrine::SamplingModeBar</name>
    <message>
        <source>Sampling modes</source>
        <translation>采样模式</translation>
    </message>
    <message>
        <source>For new messages:</source>
        <translation>用于新消息：</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Set the controls as they were before the last mode</source>
        <translation>把控件恢复到上一个模式之前的状态</translation>
    </message>
</context>
<context>
    <name>vitrine::SamplingSubject</name>
    <message>
        <source>New messages</source>
        <translation>新消息</translation>
    </message>
    <message>
        <source>The controls change the selected request, from its next token on</source>
        <translation>控件改变所选的请求，从它的下一个 token 起</translation>
    </message>
    <message>
        <source>The controls change how the messages are answered that you send from now on</source>
        <translation>控件改变你从现在起发送的消息的回答方式</translation>
    </message>
    <message>
        <source>%1: preview</source>
        <translation>%1：预览</translation>
    </message>
    <message>
        <source>Request %1, a preview alone</source>
        <translation>请求 %1，只是预览</translation>
    </message>
    <message>
        <source>Request %1</source>
        <translation>请求 %1</translation>
    </message>
</context>
<context>
    <name>vitrine::ScenarioChooser</name>
    <message>
        <source>What it shows</source>
        <translation>它展示什么</translation>
    </message>
    <message>
        <source>Choose a scenario</source>
        <translation>选择场景</translation>
    </message>
    <message>
        <source>Scenarios</source>
        <translation>场景</translation>
    </message>
</context>
<context>
    <name>vitrine::ScenarioEditor</name>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>priority %1</source>
        <translation>优先级 %1</translation>
    </message>
    <message>
        <source>cancelled after step %1</source>
        <translation>在第 %1 步后取消</translation>
    </message>
    <message>
        <source>Run on to step %1, where the machine is now</source>
        <translation>运行到第 %1 步，即机器现在所在的步</translation>
    </message>
    <message>
        <source>Why it cannot be played</source>
        <translation>为什么不能播放</translation>
    </message>
    <message>
        <source>Result of the last command</source>
        <translation>上一个命令的结果</translation>
    </message>
    <message>
        <source>Edit the scenario</source>
        <translation>编辑场景</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>What it shows</source>
        <translation>它展示什么</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Add a request</source>
        <translation>添加请求</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>创建副本</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Machine options…</source>
        <translation>机器选项…</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Drops all changes.</source>
        <translation>丢弃所有更改。</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>A command line of vitrine-cli that gives each request the same tokens.</source>
        <translation>vitrine-cli 的一条命令行，给每个请求相同的 token。</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>These are your changes from before. “Revert” drops them.</source>
        <translation>这些是你之前的更改。“还原”会丢弃它们。</translation>
    </message>
    <message>
        <source>Once upon a time</source>
        <translation>Once upon a time</translation>
    </message>
    <message>
        <source>The command is on the clipboard. Paste it into a terminal.</source>
        <translation>命令已在剪贴板上。把它粘贴到终端。</translation>
    </message>
    <message>
        <source>scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Save the scenario</source>
        <translation>保存场景</translation>
    </message>
    <message>
        <source>Scenarios (*.json)</source>
        <translation>场景 (*.json)</translation>
    </message>
    <message>
        <source>Saved as %1. The menu Scenario lists it.</source>
        <translation>已保存为 %1。“场景”菜单会列出它。</translation>
    </message>
    <message>
        <source>This cannot be played: %1.</source>
        <translation>这不能播放：%1。</translation>
    </message>
    <message>
        <source>Loads the machine anew and plays the scenario from its beginning.</source>
        <translation>重新加载机器，并从头播放场景。</translation>
    </message>
</context>
<context>
    <name>vitrine::ScenarioLine</name>
    <message>
        <source>The scenario: its description, and what there is to see</source>
        <translation>场景：它的说明，以及有什么可看</translation>
    </message>
    <message>
        <source>About the scenario</source>
        <translation>关于场景</translation>
    </message>
    <message>
        <source>All seen</source>
        <translation>全部看过</translation>
    </message>
    <message>
        <source>Next: %1, step %2</source>
        <translation>下一个：%1，第 %2 步</translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>下一个：%1</translation>
    </message>
    <message>
        <source>N</source>
        <translation>N</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>Things that there were to see, with their steps</source>
        <translation>可看之处及其所在的步</translation>
    </message>
    <message>
        <source>%1: run to it at full speed and stop there (N). %2</source>
        <translation>%1：全速运行到那里并停下 (N)。%2</translation>
    </message>
</context>
<context>
    <name>vitrine::ScenarioList</name>
    <message>
        <source>Look for: %1</source>
        <translation>留意：%1</translation>
    </message>
    <message>
        <source>Your scenarios</source>
        <translation>你的场景</translation>
    </message>
    <message>
        <source>%1, in “%2”. %3</source>
        <translation>%1，属于“%2”。%3</translation>
    </message>
</context>
<context>
    <name>vitrine::ScenarioMenu</name>
    <message>
        <source>&amp;Scenario</source>
        <translation>场景(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Choose a scenario…</source>
        <translation>选择场景(&amp;C)…</translation>
    </message>
    <message>
        <source>All of them with pictures</source>
        <translation>全部场景，附图片</translation>
    </message>
    <message>
        <source>&amp;Edit and add requests…</source>
        <translation>编辑并添加请求(&amp;E)…</translation>
    </message>
    <message>
        <source>The scenario, or the run so far, as one to change, save, or copy as a command</source>
        <translation>把场景或到目前为止的运行作为场景，以便更改、保存或复制为命令</translation>
    </message>
    <message>
        <source>Co&amp;mpare with other options…</source>
        <translation>与其他选项对比(&amp;M)…</translation>
    </message>
    <message>
        <source>The scenario, or the run so far, on two machines side by side</source>
        <translation>把场景或到目前为止的运行放在两台并排的机器上</translation>
    </message>
    <message>
        <source>&amp;Open a scenario file…</source>
        <translation>打开场景文件(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Leave the scenario</source>
        <translation>离开场景(&amp;L)</translation>
    </message>
    <message>
        <source>Back to the machine as it was before</source>
        <translation>回到机器之前的状态</translation>
    </message>
    <message>
        <source>Open a scenario</source>
        <translation>打开场景</translation>
    </message>
    <message>
        <source>Scenarios (*.json)</source>
        <translation>场景 (*.json)</translation>
    </message>
</context>
<context>
    <name>vitrine::ScenarioPlay</name>
    <message>
        <source>&amp;Next thing to see</source>
        <translation>下一个可看之处(&amp;N)</translation>
    </message>
    <message>
        <source>Runs at full speed to the next event that the scenario promises</source>
        <translation>全速运行到场景预告的下一个事件</translation>
    </message>
    <message>
        <source>My scenario</source>
        <translation>我的场景</translation>
    </message>
</context>
<context>
    <name>vitrine::ScenarioSheet</name>
    <message>
        <source>Scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Things to look at</source>
        <translation>可看之处</translation>
    </message>
    <message>
        <source>Step %1:</source>
        <translation>第 %1 步：</translation>
    </message>
</context>
<context>
    <name>vitrine::ServeDialog</name>
    <message>
        <source>Serve</source>
        <translation>提供服务</translation>
    </message>
    <message>
        <source>Programs that speak OpenAI's API can use the model of this window. Their requests join the batch of chats and scenarios, and are seen like any other.</source>
        <translation>使用 OpenAI API 的程序可以使用本窗口的模型。它们的请求加入聊天和场景的批次，与其他请求一样可见。</translation>
    </message>
    <message>
        <source>Why the server is off</source>
        <translation>服务器为什么关闭</translation>
    </message>
    <message>
        <source>Address to listen on</source>
        <translation>监听地址</translation>
    </message>
    <message>
        <source>Programs of this computer alone</source>
        <translation>仅本机的程序</translation>
    </message>
    <message>
        <source>Other computers of this network, too</source>
        <translation>也包括本网络的其他计算机</translation>
    </message>
    <message>
        <source>All networks of this computer</source>
        <translation>本机的所有网络</translation>
    </message>
    <message>
        <source>127.0.0.1: programs of this computer alone. Another address needs a token, and what passes the network is not encrypted.</source>
        <translation>127.0.0.1：仅本机的程序。其他地址需要令牌，且网络上的传输不加密。</translation>
    </message>
    <message>
        <source>any that is free</source>
        <translation>任意空闲端口</translation>
    </message>
    <message>
        <source>Port to listen on</source>
        <translation>监听端口</translation>
    </message>
    <message>
        <source>Clients name it behind the address. 0: any that is free.</source>
        <translation>客户端在地址后注明它。0：任意空闲端口。</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>地址(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Port</source>
        <translation>端口(&amp;P)</translation>
    </message>
    <message>
        <source>Token that clients send</source>
        <translation>客户端发送的令牌</translation>
    </message>
    <message>
        <source>Clients send it as Authorization: Bearer TOKEN, which OpenAI's clients call the API key. Any program that knows it can use the model.</source>
        <translation>客户端以 Authorization: Bearer TOKEN 发送它，OpenAI 的客户端称之为 API key。任何知道它的程序都可以使用模型。</translation>
    </message>
    <message>
        <source>&amp;New token</source>
        <translation>新令牌(&amp;N)</translation>
    </message>
    <message>
        <source>New token</source>
        <translation>新令牌</translation>
    </message>
    <message>
        <source>S&amp;how</source>
        <translation>显示(&amp;H)</translation>
    </message>
    <message>
        <source>Show the token</source>
        <translation>显示令牌</translation>
    </message>
    <message>
        <source>Copy the token</source>
        <translation>复制令牌</translation>
    </message>
    <message>
        <source>&amp;Token</source>
        <translation>令牌(&amp;T)</translation>
    </message>
    <message>
        <source>Token of clients that watch</source>
        <translation>旁观客户端的令牌</translation>
    </message>
    <message>
        <source>Clients that send it in place of the token may watch the engine's events, figures and model, and make no requests. Events hold all prompts and answers.</source>
        <translation>改为发送它的客户端可以旁观引擎的事件、数值和模型，但不能发出请求。事件包含所有提示词和回答。</translation>
    </message>
    <message>
        <source>New watch token</source>
        <translation>新旁观令牌</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show the watch token</source>
        <translation>显示旁观令牌</translation>
    </message>
    <message>
        <source>Copy the watch token</source>
        <translation>复制旁观令牌</translation>
    </message>
    <message>
        <source>&amp;Watch token</source>
        <translation>旁观令牌(&amp;W)</translation>
    </message>
    <message>
        <source>Tokens are in memory until Vitrine ends, and in no file.</source>
        <translation>令牌保存在内存中，直到 Vitrine 结束，不写入任何文件。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>48 random characters, copied for your client</source>
        <translation>48 个随机字符，已为你的客户端复制</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>State of the server</source>
        <translation>服务器的状态</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copies the address for a client: its base URL</source>
        <translation>复制供客户端使用的地址：即 base URL</translation>
    </message>
    <message>
        <source>Copy the address of the server</source>
        <translation>复制服务器的地址</translation>
    </message>
    <message>
        <source>Page for browsers</source>
        <translation>浏览器页面</translation>
    </message>
    <message>
        <source>Copy &amp;link</source>
        <translation>复制链接(&amp;L)</translation>
    </message>
    <message>
        <source>Copies the page's address, with the watch token: a browser that has it sees all prompts and answers</source>
        <translation>复制页面的地址，含旁观令牌：持有它的浏览器能看到所有提示词和回答</translation>
    </message>
    <message>
        <source>Copy the link to the page</source>
        <translation>复制页面的链接</translation>
    </message>
    <message>
        <source>Clients of the server</source>
        <translation>服务器的客户端</translation>
    </message>
    <message>
        <source>Why clients wait</source>
        <translation>客户端为什么等待</translation>
    </message>
    <message>
        <source>Start &amp;serving</source>
        <translation>开始提供服务(&amp;S)</translation>
    </message>
    <message>
        <source>Stop &amp;serving</source>
        <translation>停止提供服务(&amp;S)</translation>
    </message>
    <message>
        <source>Browsers watch at %1</source>
        <translation>浏览器可在 %1 旁观</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Let requests wait</source>
        <translation>让请求等待(&amp;L)</translation>
    </message>
    <message>
        <source>The machine runs, and answers what waits</source>
        <translation>机器运行，并回答等待的请求</translation>
    </message>
    <message>
        <source>Pauses the machine, so that you can step through the next request</source>
        <translation>暂停机器，以便你单步查看下一个请求</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Ending: clients are told</source>
        <translation>正在结束：正在告知客户端</translation>
    </message>
    <message>
        <source>Listening at %1</source>
        <translation>正在监听 %1</translation>
    </message>
    <message>
        <source>No program can connect.</source>
        <translation>没有程序能连接。</translation>
    </message>
    <message numerus="yes">
        <source>%n connection(s)</source>
        <translation><numerusform>%n 个连接</numerusform></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) under way</source>
        <translation><numerusform>%n 个请求进行中</numerusform></translation>
    </message>
    <message>
        <source>The machine is paused, so requests wait until it runs or is stepped.</source>
        <translation>机器已暂停，因此请求会等待，直到它运行或单步。</translation>
    </message>
    <message>
        <source>No model is open now: clients are told so, and may ask again.</source>
        <translation>现在没有打开模型：会告知客户端，它们可以稍后再询问。</translation>
    </message>
    <message>
        <source>Clients name the model “%1”, or none.</source>
        <translation>客户端把模型称为“%1”，或不指明。</translation>
    </message>
</context>
<context>
    <name>vitrine::ServerFields</name>
    <message>
        <source>Address of the server</source>
        <translation>服务器的地址</translation>
    </message>
    <message>
        <source>Address and port, or what clients call the base URL: https://host/v1</source>
        <translation>地址和端口，或客户端所称的 base URL：https://host/v1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Key of the server</source>
        <translation>服务器的密钥</translation>
    </message>
    <message>
        <source>Where the server asks for an API key or a token. It is kept in no file.</source>
        <translation>服务器要求 API key 或令牌时填写。它不会保存到任何文件。</translation>
    </message>
</context>
<context>
    <name>vitrine::Serving</name>
    <message>
        <source>“%1” is no address.</source>
        <translation>“%1”不是地址。</translation>
    </message>
    <message>
        <source>Write 127.0.0.1 for this computer alone, or choose one of the list.</source>
        <translation>仅限本机时填写 127.0.0.1，或从列表中选择一个。</translation>
    </message>
    <message>
        <source>Other computers can reach %1, so its clients need a token.</source>
        <translation>其他计算机可以访问 %1，因此它的客户端需要令牌。</translation>
    </message>
    <message>
        <source>Press New token, or choose 127.0.0.1.</source>
        <translation>按“新令牌”，或选择 127.0.0.1。</translation>
    </message>
    <message>
        <source>Without a token every client may make requests, also with a watch token.</source>
        <translation>没有令牌时，每个客户端都可以发出请求，即使有旁观令牌。</translation>
    </message>
    <message>
        <source>Give a token beside it, or no watch token.</source>
        <translation>同时给出一个令牌，或不设旁观令牌。</translation>
    </message>
    <message>
        <source>The watch token must be another than the token.</source>
        <translation>旁观令牌必须与令牌不同。</translation>
    </message>
    <message>
        <source>New token makes one.</source>
        <translation>“新令牌”可生成一个。</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>The server %1.</source>
        <translation>服务器：%1。</translation>
    </message>
    <message>
        <source>Choose another port, or 0 for any that is free; or end the program that has it.</source>
        <translation>选择另一个端口，或填 0 使用任意空闲端口；或结束占用它的程序。</translation>
    </message>
</context>
<context>
    <name>vitrine::Session</name>
    <message>
        <source>This cannot be seen from outside: the engine is that of another program, %1.</source>
        <translation>无法从外部看到：引擎属于另一个程序 %1。</translation>
    </message>
</context>
<context>
    <name>vitrine::SettingRow</name>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Back to the default</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>%1: back to the default</source>
        <translation>%1：恢复默认值</translation>
    </message>
    <message>
        <source>%1 Found in it: %2</source>
        <translation>%1其中含有：%2</translation>
    </message>
</context>
<context>
    <name>vitrine::SettingsDialog</name>
    <message>
        <source>Find a setting: theme, proxy, temperature, …</source>
        <translation>查找设置：主题、代理、温度…</translation>
    </message>
    <message>
        <source>Find a setting</source>
        <translation>查找设置</translation>
    </message>
    <message>
        <source>&amp;Reset all</source>
        <translation>全部重置(&amp;R)</translation>
    </message>
    <message>
        <source>Every setting of this window, also those that the search leaves out</source>
        <translation>本窗口的所有设置，包括搜索略去的设置</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>No setting has “%1”.</source>
        <translation>没有含“%1”的设置。</translation>
    </message>
    <message>
        <source>The settings are as they were before.</source>
        <translation>设置已恢复到之前的状态。</translation>
    </message>
    <message>
        <source>&amp;Undo the reset</source>
        <translation>撤销重置(&amp;U)</translation>
    </message>
    <message>
        <source>Every setting is at its default.</source>
        <translation>所有设置都是默认值。</translation>
    </message>
</context>
<context>
    <name>vitrine::ShortcutsDialog</name>
    <message>
        <source>Find a shortcut</source>
        <translation>查找快捷键</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Everywhere but in the conversation</source>
        <translation>对话之外的所有地方</translation>
    </message>
    <message>
        <source>In the message</source>
        <translation>在消息框中</translation>
    </message>
    <message>
        <source>On the time axis</source>
        <translation>在时间轴上</translation>
    </message>
    <message>
        <source>On the memory's map and the tree of beams</source>
        <translation>在内存图和束搜索树上</translation>
    </message>
    <message>
        <source>Step, as a presenter's clicker sends it</source>
        <translation>单步，与演示翻页笔发出的相同</translation>
    </message>
    <message>
        <source>Back, as a presenter's clicker sends it</source>
        <translation>后退，与演示翻页笔发出的相同</translation>
    </message>
    <message>
        <source>Leave Present</source>
        <translation>退出演示</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>发送消息</translation>
    </message>
    <message>
        <source>A new line</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>Stop the answer, or leave a question as it was</source>
        <translation>停止回答，或让提问恢复原样</translation>
    </message>
    <message>
        <source>The step before</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>The step after, in the past</source>
        <translation>下一步（回看时）</translation>
    </message>
    <message>
        <source>Compare with the step before</source>
        <translation>与上一步对比</translation>
    </message>
    <message>
        <source>Compare with the step after</source>
        <translation>与下一步对比</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Show all of it</source>
        <translation>显示全部</translation>
    </message>
</context>
<context>
    <name>vitrine::SideBySide</name>
    <message>
        <source>New chat</source>
        <translation>新聊天</translation>
    </message>
    <message>
        <source>The branches part here</source>
        <translation>分支从这里分开</translation>
    </message>
    <message>
        <source>The chats part here</source>
        <translation>聊天从这里分开</translation>
    </message>
    <message>
        <source>Version %1 of %2</source>
        <translation>版本 %1 / %2</translation>
    </message>
    <message>
        <source>read only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>The other chat is still empty.</source>
        <translation>另一个聊天仍是空的。</translation>
    </message>
    <message>
        <source>Both are the same.</source>
        <translation>两者相同。</translation>
    </message>
    <message>
        <source>The branches differ from the first message on.</source>
        <translation>分支从第一条消息起就不同。</translation>
    </message>
    <message>
        <source>They share no beginning.</source>
        <translation>它们没有共同的开头。</translation>
    </message>
    <message>
        <source>The branches part after message %1.</source>
        <translation>分支在消息 %1 之后分开。</translation>
    </message>
    <message>
        <source>The chats part after message %1.</source>
        <translation>聊天在消息 %1 之后分开。</translation>
    </message>
    <message>
        <source>The same as far as message %1; only this one goes on.</source>
        <translation>到消息 %1 为止相同；只有这一个继续下去。</translation>
    </message>
    <message>
        <source>The same as far as message %1; only the other one goes on.</source>
        <translation>到消息 %1 为止相同；只有另一个继续下去。</translation>
    </message>
    <message>
        <source>The shared beginning has %1.</source>
        <translation>共同的开头有 %1。</translation>
    </message>
    <message>
        <source>Show another version &amp;beside</source>
        <translation>在旁边显示另一个版本(&amp;B)</translation>
    </message>
    <message>
        <source>This answer has one version; the map of branches shows any branch beside</source>
        <translation>这个回答只有一个版本；分支图可以在旁边显示任何分支</translation>
    </message>
    <message>
        <source>Show the other version &amp;beside</source>
        <translation>在旁边显示另一版本(&amp;B)</translation>
    </message>
    <message>
        <source>Show &amp;beside</source>
        <translation>在旁边显示(&amp;B)</translation>
    </message>
    <message>
        <source>Version %1</source>
        <translation>版本 %1</translation>
    </message>
</context>
<context>
    <name>vitrine::SpeculationModel</name>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message numerus="yes">
        <source>own first %n layer(s)</source>
        <translation><numerusform>模型自己的前 %n 层</numerusform></translation>
    </message>
    <message>
        <source>draft model %1</source>
        <translation>草稿模型 %1</translation>
    </message>
    <message numerus="yes">
        <source>n-grams of up to %n token(s)</source>
        <translation><numerusform>最多 %n 个 token 的 n-gram</numerusform></translation>
    </message>
    <message>
        <source>up to K %1</source>
        <translation>最多 K %1</translation>
    </message>
    <message>
        <source>K %1</source>
        <translation>K %1</translation>
    </message>
    <message>
        <source>This machine does not draft.</source>
        <translation>这台机器不起草。</translation>
    </message>
    <message>
        <source>No draft has been verified yet.</source>
        <translation>还没有验证过任何草稿。</translation>
    </message>
    <message>
        <source>Not measured yet: there is no plain step with as many sequences to compare with.</source>
        <translation>尚未测量：没有序列数相同的普通步可供对比。</translation>
    </message>
    <message>
        <source>Speculation pays here: %1 times as fast.</source>
        <translation>推测解码在这里有收益：速度为 %1 倍。</translation>
    </message>
    <message>
        <source>Speculation does not pay here: %1 times as fast.</source>
        <translation>推测解码在这里没有收益：速度为 %1 倍。</translation>
    </message>
    <message>
        <source>Speculation cannot pay here: %1 times as fast, and no acceptance would be enough.</source>
        <translation>推测解码在这里不可能有收益：速度为 %1 倍，再高的接受率也不够。</translation>
    </message>
    <message>
        <source>Machine options has its drafters, on the page Speculation.</source>
        <translation>它的草稿器在“机器选项”的“推测解码”页上。</translation>
    </message>
    <message>
        <source>A draft begins with the first decoding step of a sequence.</source>
        <translation>草稿从序列的第一个解码步开始。</translation>
    </message>
    <message>
        <source>One decoding step in 64 is plain, so that there is a cost to compare with.</source>
        <translation>每 64 个解码步中有一个是普通步，以便有可对比的代价。</translation>
    </message>
    <message>
        <source>A drafted step costs %1 plain steps and keeps %2: %3×.</source>
        <translation>一个起草步的代价为 %1 个普通步，保留 %2：%3×。</translation>
    </message>
    <message>
        <source>%1 tokens of each sequence</source>
        <translation>每个序列 %1 个 token</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个 token</translation>
    </message>
    <message>
        <source>The acceptance is above the break-even, which counts drafts alone: sequences without a draft gain nothing.</source>
        <translation>接受率高于盈亏平衡点，而后者只计草稿：没有草稿的序列得不到收益。</translation>
    </message>
    <message numerus="yes">
        <source>%n draft(s) · mean accepted length %1 · %2 of the judged tokens accepted</source>
        <translation><numerusform>%n 个草稿 · 平均接受长度 %1 · 评判的 token 接受了 %2</numerusform></translation>
    </message>
    <message>
        <source>Medians of %1 and %2 that only decode, with as many sequences.</source>
        <translation>取 %1和 %2的中位数，它们只做解码，且序列数相同。</translation>
    </message>
    <message numerus="yes">
        <source>%n drafted step(s)</source>
        <translation><numerusform>%n 个起草步</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n plain step(s)</source>
        <translation><numerusform>%n 个普通步</numerusform></translation>
    </message>
    <message>
        <source>break-even above 100 %</source>
        <translation>盈亏平衡点高于 100%</translation>
    </message>
    <message>
        <source>break-even %1</source>
        <translation>盈亏平衡点 %1</translation>
    </message>
    <message>
        <source>Draft of %1 in this step, not verified yet</source>
        <translation>%1 在这一步的草稿，尚未验证</translation>
    </message>
    <message>
        <source>Newest draft of %1, step %2</source>
        <translation>%1 的最新草稿，第 %2 步</translation>
    </message>
    <message numerus="yes">
        <source>last %n drafted step(s): %1 accepted</source>
        <translation><numerusform>最近 %n 个起草步：接受 %1</numerusform></translation>
    </message>
    <message>
        <source>draft, not verified yet</source>
        <translation>草稿，尚未验证</translation>
    </message>
    <message>
        <source>draft, not judged: the answer ended before it</source>
        <translation>草稿，未评判：回答在它之前结束</translation>
    </message>
    <message>
        <source>“%1”, position %2</source>
        <translation>“%1”，位置 %2</translation>
    </message>
    <message>
        <source>probability %1 under the model, %2 under the drafter</source>
        <translation>模型给出的概率 %1，草稿器给出的概率 %2</translation>
    </message>
    <message numerus="yes">
        <source>Token %1 of a draft: %2 accepted, %3 of %n judged. It is judged when all before it were accepted.</source>
        <translation><numerusform>草稿的第 %1 个 token：接受率 %2，评判的 %n 个中接受 %3 个。它前面的都被接受时，它才受评判。</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Step %1: %2 of %n draft token(s) accepted</source>
        <translation><numerusform>第 %1 步：%n 个草稿 token 中接受 %2 个</numerusform></translation>
    </message>
    <message>
        <source>drafter</source>
        <translation>草稿器</translation>
    </message>
    <message>
        <source>step %1, position %2: %3</source>
        <translation>第 %1 步，位置 %2：%3</translation>
    </message>
    <message>
        <source>acceptance at position %1</source>
        <translation>位置 %1 的接受率</translation>
    </message>
    <message>
        <source>acceptance</source>
        <translation>接受率</translation>
    </message>
    <message>
        <source>mean accepted length</source>
        <translation>平均接受长度</translation>
    </message>
    <message>
        <source>break-even acceptance</source>
        <translation>盈亏平衡接受率</translation>
    </message>
    <message>
        <source>above 100 %</source>
        <translation>高于 100%</translation>
    </message>
    <message>
        <source>cost of a drafted step, in plain steps</source>
        <translation>起草步的代价，以普通步计</translation>
    </message>
    <message>
        <source>tokens that it keeps of a sequence</source>
        <translation>它为一个序列保留的 token</translation>
    </message>
    <message>
        <source>times as fast</source>
        <translation>速度倍数</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Counted</source>
        <translation>计入</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>vitrine::SpeculationView</name>
    <message>
        <source>Speculation</source>
        <translation>推测解码</translation>
    </message>
    <message>
        <source>dashed: drafted, not verified yet</source>
        <translation>虚线：已起草，尚未验证</translation>
    </message>
    <message>
        <source>tick: draft accepted · struck: rejected, and what followed it thrown away · outlined: from the model itself</source>
        <translation>对勾：草稿已接受 · 划掉：已拒绝，其后的一并丢弃 · 外框：来自模型自身</translation>
    </message>
    <message>
        <source>accepted, by position (tokens judged)</source>
        <translation>接受率，按位置（评判的 token 数）</translation>
    </message>
    <message>
        <source>accepted, by position · dashed: %1</source>
        <translation>接受率，按位置 · 虚线：%1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>vitrine::Stage</name>
    <message>
        <source>Views of the run</source>
        <translation>运行的视图</translation>
    </message>
</context>
<context>
    <name>vitrine::StatusStrip</name>
    <message>
        <source>%1 blocks in the prefix cache</source>
        <translation>前缀缓存中 %1 个块</translation>
    </message>
    <message>
        <source>%1 tokens in %2 of %3 blocks</source>
        <translation>%1 个 token 位于 %3 个块中的 %2 个</translation>
    </message>
    <message>
        <source>Another program's engine, which is seen from outside alone.</source>
        <translation>另一个程序的引擎，只能从外部看到。</translation>
    </message>
    <message>
        <source>The model computes on this GPU; weights, keys and values lie in its memory.</source>
        <translation>模型在这张 GPU 上计算；权重、键和值位于其内存中。</translation>
    </message>
    <message>
        <source>The model computes on the processor.</source>
        <translation>模型在处理器上计算。</translation>
    </message>
    <message>
        <source>Products are in int8: activations are rounded to 8 bits and multiplied with the int8 and int4 weights as whole numbers. The machine's options can choose float32.</source>
        <translation>乘积采用 int8：激活舍入到 8 位，并作为整数与 int8 和 int4 权重相乘。机器的选项可以选择 float32。</translation>
    </message>
    <message>
        <source>Products are in bf16: activations are rounded to 16 bits. The machine's options can choose float32.</source>
        <translation>乘积采用 bf16：激活舍入到 16 位。机器的选项可以选择 float32。</translation>
    </message>
    <message>
        <source>Machine → Compute on changes the device.</source>
        <translation>“机器 → 计算设备”可更改设备。</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Why the machine stopped</source>
        <translation>机器停下的原因</translation>
    </message>
    <message>
        <source>Context in use</source>
        <translation>使用中的上下文</translation>
    </message>
    <message>
        <source>State of the machine</source>
        <translation>机器的状态</translation>
    </message>
    <message>
        <source>Loading the model</source>
        <translation>正在加载模型</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel loading the model</source>
        <translation>取消加载模型</translation>
    </message>
    <message>
        <source>%1, %2 layers, %3 parameters, %4 tokens of context</source>
        <translation>%1，%2 层，%3 个参数，%4 个 token 的上下文</translation>
    </message>
    <message>
        <source>GPU: %1</source>
        <translation>GPU：%1</translation>
    </message>
    <message>
        <source>At most %1 sequences run at once; the pool holds %2 whole contexts.</source>
        <translation>最多同时运行 %1 个序列；池可容纳 %2 个完整的上下文。</translation>
    </message>
    <message>
        <source>state %1</source>
        <translation>状态 %1</translation>
    </message>
    <message>
        <source>A number for the machine’s state, %1: every view of this step of the run shows the same, in this window, in another and on a page.</source>
        <translation>机器状态的编号，%1：运行中这一步的每个视图都显示同一个编号，无论在本窗口、另一个窗口还是页面上。</translation>
    </message>
</context>
<context>
    <name>vitrine::StepComparisonModel</name>
    <message>
        <source>Step %1: choose another one</source>
        <translation>第 %1 步：选择另一步</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>没有差异</translation>
    </message>
    <message numerus="yes">
        <source>%n difference(s)</source>
        <translation><numerusform>%n 处差异</numerusform></translation>
    </message>
    <message>
        <source>Step %1 → step %2: %3</source>
        <translation>第 %1 步 → 第 %2 步：%3</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>%1, %2: %3, then %4</source>
        <translation>%1，%2：%3，之后 %4</translation>
    </message>
</context>
<context>
    <name>vitrine::StepComparisonView</name>
    <message>
        <source>Shift-click a step of the time axis: what differs between it and the step shown is listed here.</source>
        <translation>按住 Shift 单击时间轴上的一步：这里列出它与所显示的步之间的差异。</translation>
    </message>
    <message>
        <source>Two steps compared</source>
        <translation>对比的两步</translation>
    </message>
    <message>
        <source>End the comparison</source>
        <translation>结束对比</translation>
    </message>
    <message>
        <source>Differences, one value a line</source>
        <translation>差异，每行一个值</translation>
    </message>
</context>
<context>
    <name>vitrine::SurpriseTints</name>
    <message>
        <source>Colours of words by their probability: none at 50 % and above, the strongest at 0.4 % and below</source>
        <translation>按概率给词着色：50% 及以上不着色，0.4% 及以下最深</translation>
    </message>
    <message>
        <source>How likely the model held each token; let the mouse rest on a word for its number</source>
        <translation>模型认为每个 token 有多大可能；把鼠标停在词上查看数值</translation>
    </message>
    <message>
        <source>probability of the token</source>
        <translation>token 的概率</translation>
    </message>
    <message>
        <source>&amp;Colour surprising words</source>
        <translation>给意外的词着色(&amp;C)</translation>
    </message>
    <message>
        <source>The less likely the model held a token, the stronger its colour</source>
        <translation>模型认为 token 的可能性越小，颜色越深</translation>
    </message>
</context>
<context>
    <name>vitrine::TableBoxes</name>
    <message numerus="yes">
        <source>Table, %n columns</source>
        <translation><numerusform>表格，%n 列</numerusform></translation>
    </message>
</context>
<context>
    <name>vitrine::TableTwin</name>
    <message>
        <source>Show as a &amp;table</source>
        <translation>显示为表格(&amp;T)</translation>
    </message>
    <message>
        <source>%1 as a table</source>
        <translation>%1（表格）</translation>
    </message>
</context>
<context>
    <name>vitrine::TemplateLine</name>
    <message>
        <source>Refused by the chat template</source>
        <translation>被聊天模板拒绝</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>Leave everything as it is</source>
        <translation>一切保持原样</translation>
    </message>
    <message>
        <source>This model's chat template refuses the conversation, and the message was not sent: “%1”</source>
        <translation>这个模型的聊天模板拒绝这段对话，消息未发送：“%1”</translation>
    </message>
</context>
<context>
    <name>vitrine::TemplateView</name>
    <message>
        <source>The chat template</source>
        <translation>聊天模板</translation>
    </message>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation><numerusform>%n 行</numerusform></translation>
    </message>
    <message>
        <source>Line %1 of %2: %3</source>
        <translation>第 %1 行，共 %2 行：%3</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
</context>
<context>
    <name>vitrine::TensorTableModel</name>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Outputs × inputs: a row of weights for each output, a weight in it for each input</source>
        <translation>输出 × 输入：每个输出一行权重，行中每个输入一个权重</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
</context>
<context>
    <name>vitrine::TextModel</name>
    <message numerus="yes">
        <source>%1 · %n prompt token(s) · %2 of %3</source>
        <translation><numerusform>%1 · %n 个提示词 token · %2 / %3</numerusform></translation>
    </message>
    <message>
        <source>“%1”, position %2</source>
        <translation>“%1”，位置 %2</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>surprise %1 bits</source>
        <translation>意外度 %1 比特</translation>
    </message>
    <message>
        <source>computed in this step</source>
        <translation>在这一步计算</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>token</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Surprise in bits</source>
        <translation>意外度（比特）</translation>
    </message>
    <message>
        <source>Fate</source>
        <translation>结局</translation>
    </message>
</context>
<context>
    <name>vitrine::TextView</name>
    <message>
        <source>Surprise</source>
        <translation>意外度</translation>
    </message>
    <message>
        <source>Text of the request</source>
        <translation>请求的文本</translation>
    </message>
    <message>
        <source>boxed: this step · green: draft accepted · struck: draft rejected · outlined: from the model</source>
        <translation>方框：本步 · 绿色：草稿已接受 · 划掉：草稿已拒绝 · 外框：来自模型</translation>
    </message>
    <message>
        <source>The prompt is dimmed. A click on a token goes to the step that sampled it.</source>
        <translation>提示词以暗色显示。单击 token 转到采样它的那一步。</translation>
    </message>
    <message>
        <source>Tint each token by −log2 of its probability: the darker and the thicker the line under it, the less the model expected it</source>
        <translation>按概率的 −log2 给每个 token 着色：颜色越深、下方的线越粗，模型越没有料到它</translation>
    </message>
    <message>
        <source>Choose a request to read its prompt and its answer, token by token.</source>
        <translation>选择一个请求，逐个 token 阅读它的提示词和回答。</translation>
    </message>
    <message numerus="yes">
        <source>Prompt · %n token(s)</source>
        <translation><numerusform>提示词 · %n 个 token</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>Answer · %n token(s)</source>
        <translation><numerusform>回答 · %n 个 token</numerusform></translation>
    </message>
    <message>
        <source>Copy the te&amp;xt</source>
        <translation>复制文本(&amp;X)</translation>
    </message>
    <message>
        <source>Show the s&amp;urprise</source>
        <translation>显示意外度(&amp;U)</translation>
    </message>
</context>
<context>
    <name>vitrine::TimeAxisModel</name>
    <message>
        <source>a request arrived</source>
        <translation>一个请求到达</translation>
    </message>
    <message>
        <source>a sequence finished</source>
        <translation>一个序列完成</translation>
    </message>
    <message>
        <source>blocks were swapped</source>
        <translation>块被交换</translation>
    </message>
    <message>
        <source>a sequence was preempted</source>
        <translation>一个序列被抢占</translation>
    </message>
    <message>
        <source>breakpoint</source>
        <translation>断点</translation>
    </message>
    <message>
        <source>bookmark</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>branch</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>每秒 token 数</translation>
    </message>
    <message>
        <source>Prefill tokens</source>
        <translation>预填充 token</translation>
    </message>
    <message>
        <source>Decode tokens</source>
        <translation>解码 token</translation>
    </message>
    <message>
        <source>Blocks used</source>
        <translation>使用中的块</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>发生了什么</translation>
    </message>
    <message>
        <source>Marks</source>
        <translation>标记</translation>
    </message>
</context>
<context>
    <name>vitrine::TimeAxisView</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Every step adds a tick here; click a tick to go back to its step.</source>
        <translation>每一步在这里加一个刻度；单击刻度可回到该步。</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>%1, %2 prefill and %3 decode tokens, %4 blocks in use</source>
        <translation>%1，%2 个预填充和 %3 个解码 token，%4 个块使用中</translation>
    </message>
    <message>
        <source>Compared with the step shown</source>
        <translation>与所显示的步对比</translation>
    </message>
    <message>
        <source>Here this run left the one before (Run, Earlier runs)</source>
        <translation>这次运行在这里与之前的运行分开（运行 → 较早的运行）</translation>
    </message>
    <message>
        <source>run to: %1</source>
        <translation>运行到：%1</translation>
    </message>
</context>
<context>
    <name>vitrine::TokenLooker</name>
    <message>
        <source>Open a model first: it computes how likely the tokens were.</source>
        <translation>先打开一个模型：它计算这些 token 有多大可能。</translation>
    </message>
    <message>
        <source>%1 tells no candidates of this token.</source>
        <translation>%1 没有告知这个 token 的候选。</translation>
    </message>
    <message>
        <source>Another model wrote this answer: %1. Open it to look at the tokens.</source>
        <translation>这个回答由另一个模型写出：%1。打开它以查看这些 token。</translation>
    </message>
    <message>
        <source>The candidates of this token cannot be computed with this model and these options.</source>
        <translation>用这个模型和这些选项无法计算这个 token 的候选。</translation>
    </message>
</context>
<context>
    <name>vitrine::TokenPopup</name>
    <message>
        <source>A token of the answer</source>
        <translation>回答的一个 token</translation>
    </message>
    <message>
        <source>The most likely tokens here</source>
        <translation>这里最可能的 token</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Token %1 of %2 · given, not sampled</source>
        <translation>第 %1 个 token，共 %2 个 · 给定，并非采样</translation>
    </message>
    <message>
        <source>Token %1 of %2</source>
        <translation>第 %1 个 token，共 %2 个</translation>
    </message>
    <message>
        <source>%1, %2, which the answer has</source>
        <translation>%1，%2，回答采用的是它</translation>
    </message>
    <message>
        <source>%1, %2: the answer ends here</source>
        <translation>%1，%2：回答在这里结束</translation>
    </message>
    <message>
        <source>%1, %2: another answer goes on with it</source>
        <translation>%1，%2：另一个回答由此继续</translation>
    </message>
    <message>
        <source>Choose another token: a new answer goes on with it, and this one stays.</source>
        <translation>选择另一个 token：一个新回答由此继续，当前回答会保留。</translation>
    </message>
</context>
<context>
    <name>vitrine::ToolResultsLine</name>
    <message>
        <source>Send the result</source>
        <translation>发送结果</translation>
    </message>
    <message>
        <source>Results of tools</source>
        <translation>工具的结果</translation>
    </message>
    <message>
        <source>Result of %1 (nothing is run: type the result here)</source>
        <translation>%1 的结果（不会运行任何东西：在这里输入结果）</translation>
    </message>
    <message>
        <source>Send the results</source>
        <translation>发送结果</translation>
    </message>
    <message>
        <source>The model answers to it (Ctrl+Enter)</source>
        <translation>模型对此作出回答 (Ctrl+Enter)</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>先打开一个模型。</translation>
    </message>
</context>
<context>
    <name>vitrine::TraceSaving</name>
    <message>
        <source>Saving %1</source>
        <translation>正在保存 %1</translation>
    </message>
</context>
<context>
    <name>vitrine::TranscriptView</name>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Ask something, and watch the engine answer.</source>
        <translation>提个问题，观察引擎回答。</translation>
    </message>
    <message>
        <source>Enter sends, Shift+Enter starts a new line, Esc stops the answer.</source>
        <translation>Enter 发送，Shift+Enter 换行，Esc 停止回答。</translation>
    </message>
    <message>
        <source>↓ To the end</source>
        <translation>↓ 到末尾</translation>
    </message>
    <message>
        <source>Scroll to the end</source>
        <translation>滚动到末尾</translation>
    </message>
    <message>
        <source>Ask: %1</source>
        <translation>提问：%1</translation>
    </message>
</context>
<context>
    <name>vitrine::TypeSharesBar</name>
    <message>
        <source>Types of the weights</source>
        <translation>权重的类型</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message numerus="yes">
        <source>%1 of the bytes, %2 in %n tensor(s)</source>
        <translation><numerusform>%1 的字节，%n 个张量共 %2</numerusform></translation>
    </message>
</context>
<context>
    <name>vitrine::TypedTokens</name>
    <message>
        <source>Tokens of the written text</source>
        <translation>所写文本的 token</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation><numerusform>%Ln 个 token</numerusform></translation>
    </message>
</context>
<context>
    <name>vitrine::UncertaintyModel</name>
    <message>
        <source>Token %1, “%2”: %3 bits of surprise</source>
        <translation>第 %1 个 token，“%2”：意外度 %3 比特</translation>
    </message>
    <message>
        <source>%1; the entropy was not measured</source>
        <translation>%1；未测量熵</translation>
    </message>
    <message>
        <source>%1, and %2 were to be expected, the entropy of the model's distribution</source>
        <translation>%1，而预期为 %2，即模型分布的熵</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Surprise in bits</source>
        <translation>意外度（比特）</translation>
    </message>
    <message>
        <source>Entropy in bits</source>
        <translation>熵（比特）</translation>
    </message>
</context>
<context>
    <name>vitrine::UncertaintyStrip</name>
    <message>
        <source>Entropy and surprise of the answer</source>
        <translation>回答的熵和意外度</translation>
    </message>
</context>
<context>
    <name>vitrine::ViewMenu</name>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Te&amp;xt size</source>
        <translation>文字大小(&amp;X)</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>Pa&amp;nels</source>
        <translation>面板(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Restore default layout</source>
        <translation>恢复默认布局(&amp;R)</translation>
    </message>
    <message>
        <source>N&amp;ext card</source>
        <translation>下一张卡片(&amp;E)</translation>
    </message>
    <message>
        <source>Previ&amp;ous card</source>
        <translation>上一张卡片(&amp;O)</translation>
    </message>
    <message>
        <source>Settin&amp;gs…</source>
        <translation>设置(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>As the &amp;desktop</source>
        <translation>跟随桌面(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Blank the window</source>
        <translation>清空窗口(&amp;B)</translation>
    </message>
    <message>
        <source>In Present, until a key or a click brings it back</source>
        <translation>在“演示”中，直到按键或单击使它恢复</translation>
    </message>
    <message>
        <source>&amp;Views of the run</source>
        <translation>运行的视图(&amp;V)</translation>
    </message>
</context>
<context>
    <name>vitrine::WaitingList</name>
    <message>
        <source>Send now</source>
        <translation>立即发送</translation>
    </message>
    <message>
        <source>Messages that wait</source>
        <translation>等待的消息</translation>
    </message>
    <message>
        <source>Send the first of them; the others follow, each after the answer before it</source>
        <translation>发送其中第一条；其余的依次在前一个回答之后发送</translation>
    </message>
    <message>
        <source>Held until you send them</source>
        <translation>搁置，直到你发送</translation>
    </message>
    <message>
        <source>Sent when the answer ends</source>
        <translation>回答结束时发送</translation>
    </message>
    <message>
        <source>Waits: %1</source>
        <translation>等待：%1</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Take this message back into the input</source>
        <translation>把这条消息放回输入框</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Do not send this message</source>
        <translation>不发送这条消息</translation>
    </message>
</context>
<context>
    <name>vitrine::WelcomeDialog</name>
    <message>
        <source>&amp;Skip</source>
        <translation>跳过(&amp;S)</translation>
    </message>
    <message>
        <source>Welcome to Vitrine</source>
        <translation>欢迎使用 Vitrine</translation>
    </message>
    <message>
        <source>Vitrine opens as it does by default</source>
        <translation>Vitrine 以默认方式打开</translation>
    </message>
    <message>
        <source>Help → Welcome… shows this page again.</source>
        <translation>帮助 → 欢迎… 可再次显示本页。</translation>
    </message>
    <message>
        <source>Look inside</source>
        <translation>看看内部</translation>
    </message>
    <message>
        <source>A first experiment with the model that comes with Vitrine: press Step, and see what the engine decides, and why.</source>
        <translation>用 Vitrine 自带的模型做第一个实验：按“单步”，看引擎决定了什么，以及为什么。</translation>
    </message>
    <message>
        <source>Just chat</source>
        <translation>只聊天</translation>
    </message>
    <message>
        <source>Only the conversation, as in any chat program. The machine can be opened later with Ctrl+2.</source>
        <translation>只有对话，与任何聊天程序一样。之后可用 Ctrl+2 打开机器。</translation>
    </message>
    <message>
        <source>Open my model</source>
        <translation>打开我的模型</translation>
    </message>
    <message>
        <source>The models on this computer, also those of other programs, whether they fit, and how to get another one.</source>
        <translation>本机上的模型，包括其他程序的模型、它们是否装得下，以及如何获取新的模型。</translation>
    </message>
    <message>
        <source>How does a machine answer? Here one really runs, and you can chat with it, stop it at any moment, and look. Where do you want to begin?</source>
        <translation>机器是如何回答的？这里有一台真正在运行的机器，你可以与它聊天，随时让它停下并查看。你想从哪里开始？</translation>
    </message>
</context>
<context>
    <name>vitrine::WhyList</name>
    <message>
        <source>Decisions of the step, with their reasons</source>
        <translation>这一步的决定及其原因</translation>
    </message>
    <message>
        <source>Link %1 of %2: %3</source>
        <translation>链接 %1 / %2：%3</translation>
    </message>
    <message>
        <source>After a step this panel says what the engine decided, and why.</source>
        <translation>一步之后，这个面板说明引擎决定了什么，以及为什么。</translation>
    </message>
</context>
<context>
    <name>vitrine::WhyModel</name>
    <message>
        <source>Before the step</source>
        <translation>这一步之前</translation>
    </message>
    <message>
        <source>After the step</source>
        <translation>这一步之后</translation>
    </message>
    <message>
        <source>step %1 · %2</source>
        <translation>第 %1 步 · %2</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>Before the first step</source>
        <translation>第一步之前</translation>
    </message>
    <message numerus="yes">
        <source>Step %1: %n token(s) came</source>
        <translation><numerusform>第 %1 步：得到 %n 个 token</numerusform></translation>
    </message>
    <message>
        <source>Step %1: %2 computed, %3 sampled, in %4</source>
        <translation>第 %1 步：计算 %2，采样 %3，用时 %4</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation><numerusform>%n 个 token</numerusform></translation>
    </message>
    <message>
        <source>Step %1 in progress, up to %2</source>
        <translation>第 %1 步进行中，到 %2</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>What happened, and why</source>
        <translation>发生了什么，以及为什么</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>vitrine::WhyView</name>
    <message>
        <source>Why this step?</source>
        <translation>为什么是这一步？</translation>
    </message>
    <message>
        <source>&amp;Copy the explanation</source>
        <translation>复制解释(&amp;C)</translation>
    </message>
    <message>
        <source>– %1</source>
        <translation>– %1</translation>
    </message>
</context>
<context>
    <name>vitrine::Wording</name>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>Prompt: %1 tokens, %2 from the cache, %3 computed</source>
        <translation>提示词：%1 个 token，%2 个来自缓存，%3 个需计算</translation>
    </message>
    <message>
        <source>The machine runs without the prefix cache, so it computes every prompt whole.</source>
        <translation>机器运行时没有前缀缓存，因此每个提示词都要完整计算。</translation>
    </message>
    <message>
        <source>All that can be found was found: blocks of %1 tokens, and never the last token, since the answer begins with its result.</source>
        <translation>能找到的都已找到：以 %1 个 token 的块为单位，且从不包括最后一个 token，因为回答要从它的结果开始。</translation>
    </message>
    <message>
        <source>No block in the cache goes on like this prompt.</source>
        <translation>缓存中没有块与这个提示词的后续相同。</translation>
    </message>
    <message>
        <source>After %1 this prompt has %2, the cached one of %3 has %4.</source>
        <translation>在 %1 之后，这个提示词是 %2，而 %3 的已缓存提示词是 %4。</translation>
    </message>
    <message>
        <source>To compute %1 tokens took %2 (%3).</source>
        <translation>计算 %1 个 token 用了 %2（%3）。</translation>
    </message>
    <message>
        <source>Of that, the lost blocks (%1, with %2 tokens) cost %3.</source>
        <translation>其中，失去的块（%1，含 %2 个 token）花费了 %3。</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Scheduling</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>blocks fill here</source>
        <translation>块在此填满</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>in the prefix cache</source>
        <translation>在前缀缓存中</translation>
    </message>
    <message>
        <source>cached</source>
        <translation>已缓存</translation>
    </message>
    <message>
        <source>free, still cached</source>
        <translation>空闲，仍已缓存</translation>
    </message>
    <message>
        <source>free, cached</source>
        <translation>空闲，已缓存</translation>
    </message>
    <message>
        <source>changed in this step</source>
        <translation>本步有变化</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>有变化</translation>
    </message>
    <message>
        <source>turn in the free queue</source>
        <translation>在空闲队列中的次序</translation>
    </message>
    <message>
        <source>free queue</source>
        <translation>空闲队列</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>Block %1 of %2, swapped out to %3 slot %4</source>
        <translation>%2 的块 %1，已换出到%3槽位 %4</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) in it</source>
        <translation><numerusform>其中 %n 个 token</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) out</source>
        <translation><numerusform>换出 %n 个块</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) on to the disk</source>
        <translation><numerusform>%n 个块移往磁盘</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) back in</source>
        <translation><numerusform>换入 %n 个块</numerusform></translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>tok/s</translation>
    </message>
    <message>
        <source>last %1 steps</source>
        <translation>最近 %1 步</translation>
    </message>
    <message>
        <source>this step</source>
        <translation>本步</translation>
    </message>
    <message>
        <source>batch tokens</source>
        <translation>批次 token</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>budget</source>
        <translation>预算</translation>
    </message>
    <message>
        <source>blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>sequences</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>TTFT so far, ms</source>
        <translation>至今 TTFT，ms</translation>
    </message>
    <message>
        <source>p50</source>
        <translation>p50</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>ITL so far, ms</source>
        <translation>至今 ITL，ms</translation>
    </message>
    <message>
        <source>so far, %</source>
        <translation>至今，%</translation>
    </message>
    <message>
        <source>prefix hits</source>
        <translation>前缀命中</translation>
    </message>
    <message>
        <source>drafts accepted</source>
        <translation>已接受的草稿</translation>
    </message>
    <message>
        <source>swapped</source>
        <translation>已换出</translation>
    </message>
    <message>
        <source>−%1</source>
        <translation>−%1</translation>
    </message>
    <message>
        <source>needs %1</source>
        <translation>需要 %1</translation>
    </message>
    <message>
        <source>free %1</source>
        <translation>空闲 %1</translation>
    </message>
    <message>
        <source>slots</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>left %1</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>behind</source>
        <translation>排在后面</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>%1 run</source>
        <translation>%1 个运行中</translation>
    </message>
    <message>
        <source>prefix</source>
        <translation>前缀</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>This answer is no longer known, so nothing can branch from it.</source>
        <translation>这个回答已不再可知，因此无法从它分支。</translation>
    </message>
    <message>
        <source>%1 has not drawn a token at position %2.</source>
        <translation>%1 没有在位置 %2 抽取 token。</translation>
    </message>
    <message>
        <source>“%1” is the token that %2 has drawn. Choose another one to branch.</source>
        <translation>“%1”就是 %2 抽到的 token。选择另一个来分支。</translation>
    </message>
    <message>
        <source>Token %1 is the last one that %2 may write, so a branch could write none.</source>
        <translation>token %1 是 %2 可写的最后一个，因此分支什么也写不了。</translation>
    </message>
    <message>
        <source>%1 with “%2” at %3</source>
        <translation>%1，位置 %3 用“%2”</translation>
    </message>
    <message>
        <source>Greedy: “%1” is the most likely token, and no number is drawn.</source>
        <translation>贪心：“%1”是最可能的 token，不抽随机数。</translation>
    </message>
    <message>
        <source>The server has written “%1”. How it was chosen is not told.</source>
        <translation>服务器写出了“%1”。它没有说明是如何选中的。</translation>
    </message>
    <message>
        <source>“%1” was chosen by another rule: the number of this position, %2, does not fall on it.</source>
        <translation>“%1”是按另一条规则选中的：这个位置的随机数 %2 没有落在它上面。</translation>
    </message>
    <message>
        <source>The number %1 falls on “%2”, behind the tokens that are listed.</source>
        <translation>随机数 %1 落在“%2”上，排在所列 token 之后。</translation>
    </message>
    <message>
        <source>The number %1 falls on “%2”, from %3 to %4.</source>
        <translation>随机数 %1 落在“%2”上，区间从 %3 到 %4。</translation>
    </message>
    <message>
        <source>preview: greedy</source>
        <translation>预览：贪心</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>not told</source>
        <translation>未告知</translation>
    </message>
    <message>
        <source>preview %1</source>
        <translation>预览 %1</translation>
    </message>
    <message>
        <source>drawn %1</source>
        <translation>抽到 %1</translation>
    </message>
    <message>
        <source>Greedy: “%1” is the most likely token</source>
        <translation>贪心：“%1”是最可能的 token</translation>
    </message>
    <message>
        <source>greedy: “%1”</source>
        <translation>贪心：“%1”</translation>
    </message>
    <message>
        <source>“%1”; how it was chosen is not told</source>
        <translation>“%1”；没有说明是如何选中的</translation>
    </message>
    <message>
        <source>“%1” was chosen by another rule</source>
        <translation>“%1”是按另一条规则选中的</translation>
    </message>
    <message>
        <source>another rule: “%1”</source>
        <translation>另一条规则：“%1”</translation>
    </message>
    <message>
        <source>%1 was drawn: it falls into “%2”</source>
        <translation>抽到 %1：落入“%2”</translation>
    </message>
    <message>
        <source>%1 falls into “%2”</source>
        <translation>%1 落入“%2”</translation>
    </message>
    <message>
        <source>%1: “%2”</source>
        <translation>%1：“%2”</translation>
    </message>
    <message>
        <source>The preview chooses “%1” as well</source>
        <translation>预览选中的也是“%1”</translation>
    </message>
    <message>
        <source>preview: “%1” as well</source>
        <translation>预览：也是“%1”</translation>
    </message>
    <message>
        <source>The preview chooses “%1” instead of “%2”</source>
        <translation>预览选中的是“%1”，而不是“%2”</translation>
    </message>
    <message>
        <source>preview: “%1”</source>
        <translation>预览：“%1”</translation>
    </message>
    <message>
        <source>%1 · entropy %2 bits</source>
        <translation>%1 · 熵 %2 比特</translation>
    </message>
    <message>
        <source>%1 · %2 bits</source>
        <translation>%1 · %2 比特</translation>
    </message>
    <message>
        <source>%1 tok/s</source>
        <translation>%1 tok/s</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>From: %1</source>
        <translation>出处：%1</translation>
    </message>
    <message>
        <source>F1: the glossary</source>
        <translation>F1：术语表</translation>
    </message>
    <message>
        <source>Greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Typical</source>
        <translation>Typical</translation>
    </message>
    <message>
        <source>Beams</source>
        <translation>束</translation>
    </message>
    <message>
        <source>n answers</source>
        <translation>n 个回答</translation>
    </message>
    <message>
        <source>Temperature 0: always the most likely token</source>
        <translation>温度 0：总是选最可能的 token</translation>
    </message>
    <message>
        <source>Draw from the %1 most likely tokens</source>
        <translation>从最可能的 %1 个 token 中抽取</translation>
    </message>
    <message>
        <source>Draw from the fewest tokens whose probabilities add up to %1</source>
        <translation>从概率合计达到 %1 的最少 token 中抽取</translation>
    </message>
    <message>
        <source>Draw from the tokens that are at least %1 times as likely as the most likely one</source>
        <translation>从概率至少为最可能 token 的 %1 倍的 token 中抽取</translation>
    </message>
    <message>
        <source>Draw from the tokens of the most usual surprise whose probabilities add up to %1</source>
        <translation>从意外度最平常、概率合计达到 %1 的 token 中抽取</translation>
    </message>
    <message>
        <source>New messages are answered by a search with %1 beams. Nothing else changes.</source>
        <translation>新消息由 %1 个束的搜索来回答。其他不变。</translation>
    </message>
    <message>
        <source>New messages get %1 answers each, which share the prompt's blocks. Only a temperature of 0 becomes 1: greedy answers would all be the same.</source>
        <translation>每条新消息得到 %1 个回答，它们共享提示词的块。只有温度 0 会变成 1：否则贪心回答会全都一样。</translation>
    </message>
    <message>
        <source>“%1” switched off</source>
        <translation>“%1”已关闭</translation>
    </message>
    <message>
        <source>“%1: %2”</source>
        <translation>“%1：%2”</translation>
    </message>
    <message>
        <source>Answers to draw; the best of them are given, as many as “Answers” says.</source>
        <translation>要抽取的回答数；给出其中最好的，个数由“回答”决定。</translation>
    </message>
    <message>
        <source>Texts of which the answer is one, one a line.</source>
        <translation>回答须是其中之一的若干文本，每行一个。</translation>
    </message>
    <message>
        <source>Texts that end the answer, one a line.</source>
        <translation>使回答结束的文本，每行一个。</translation>
    </message>
    <message>
        <source>When a beam search ends, as in transformers.</source>
        <translation>束搜索何时结束，与 transformers 相同。</translation>
    </message>
    <message>
        <source>The model reads the system prompt and the first question as one message</source>
        <translation>模型把系统提示词和第一个提问读作一条消息</translation>
    </message>
    <message>
        <source>The model reads questions, or answers, in a row as one message</source>
        <translation>模型把连续的提问或连续的回答读作一条消息</translation>
    </message>
    <message>
        <source>Put the system prompt before the first question</source>
        <translation>把系统提示词放到第一个提问之前</translation>
    </message>
    <message>
        <source>Join messages in a row of one author</source>
        <translation>合并同一作者的连续消息</translation>
    </message>
    <message>
        <source>%1 bits a weight</source>
        <translation>每权重 %1 比特</translation>
    </message>
    <message>
        <source>%1 billion parameters</source>
        <translation>%1B 参数</translation>
    </message>
    <message>
        <source>%1 million parameters</source>
        <translation>%1M 参数</translation>
    </message>
    <message>
        <source>vocabulary of %1</source>
        <translation>词表大小 %1</translation>
    </message>
    <message>
        <source>%1, no tokenizer</source>
        <translation>%1，无分词器</translation>
    </message>
    <message>
        <source>%1, tokenizer with %2 tokens</source>
        <translation>%1，分词器有 %2 个 token</translation>
    </message>
    <message>
        <source>context of %1 tokens</source>
        <translation>上下文 %1 个 token</translation>
    </message>
    <message>
        <source>%1, attention sees the last %2</source>
        <translation>%1，注意力只看最近 %2 个</translation>
    </message>
    <message>
        <source>%1: %2, in a GGUF file</source>
        <translation>%1：%2，GGUF 文件</translation>
    </message>
    <message>
        <source>%1: %2, in a folder</source>
        <translation>%1：%2，文件夹</translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s)</source>
        <translation><numerusform>%n 个张量</numerusform></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation><numerusform>%n 层</numerusform></translation>
    </message>
    <message>
        <source>hidden state of %1 numbers</source>
        <translation>隐藏状态 %1 个数</translation>
    </message>
    <message>
        <source>%1 heads over %2 KV heads of %3 each</source>
        <translation>%1 个注意力头，%2 个 KV 头，每个 %3</translation>
    </message>
    <message>
        <source>MLP of %1</source>
        <translation>MLP 为 %1</translation>
    </message>
    <message>
        <source>RoPE: %1</source>
        <translation>RoPE：%1</translation>
    </message>
    <message>
        <source>tied embeddings: one table for the first and the last step</source>
        <translation>共享嵌入：首尾两步共用一张表</translation>
    </message>
    <message>
        <source>embedding and head are two tables</source>
        <translation>嵌入和输出头是两张表</translation>
    </message>
    <message>
        <source>chat format: %1</source>
        <translation>聊天格式：%1</translation>
    </message>
    <message>
        <source>%1 of weights + %2 of KV cache (float32) = %3</source>
        <translation>权重 %1 + KV 缓存 %2（float32）= %3</translation>
    </message>
    <message>
        <source>At most %1 for one sequence on this machine: each token reads %2 at %3 GB/s.</source>
        <translation>在这台机器上单个序列最高 %1：每个 token 要以 %3 GB/s 读取 %2。</translation>
    </message>
    <message>
        <source>%1 · %2 · %3 · %4</source>
        <translation>%1 · %2 · %3 · %4</translation>
    </message>
    <message>
        <source>From %1 to %2, mean %3, standard deviation %4</source>
        <translation>从 %1 到 %2，平均 %3，标准差 %4</translation>
    </message>
    <message>
        <source>%1 · step %2</source>
        <translation>%1 · 第 %2 步</translation>
    </message>
    <message>
        <source>REPLAY %1 of %2</source>
        <translation>回放 %1 / %2</translation>
    </message>
    <message>
        <source>%1, before %2</source>
        <translation>%1，%2之前</translation>
    </message>
    <message>
        <source>NO MODEL</source>
        <translation>无模型</translation>
    </message>
    <message>
        <source>LOADING</source>
        <translation>加载中</translation>
    </message>
    <message>
        <source>LIVE</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>LIVE, step %1</source>
        <translation>实时，第 %1 步</translation>
    </message>
    <message>
        <source>PAUSED</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>PAUSED in step %1, before %2</source>
        <translation>暂停于第 %1 步，%2之前</translation>
    </message>
    <message>
        <source>PAUSED at step %1</source>
        <translation>暂停于第 %1 步</translation>
    </message>
    <message>
        <source>IDLE</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>IDLE at step %1</source>
        <translation>空闲，第 %1 步</translation>
    </message>
    <message>
        <source>WATCHING</source>
        <translation>旁观中</translation>
    </message>
    <message>
        <source>WATCHING %1, step %2</source>
        <translation>旁观 %1，第 %2 步</translation>
    </message>
    <message>
        <source>ANSWERING at %1, step %2</source>
        <translation>回答中，%1，第 %2 步</translation>
    </message>
    <message>
        <source>CONNECTED to %1, step %2</source>
        <translation>已连接 %1，第 %2 步</translation>
    </message>
    <message>
        <source>ANSWERING</source>
        <translation>回答中</translation>
    </message>
    <message>
        <source>CONNECTED</source>
        <translation>已连接</translation>
    </message>
    <message numerus="yes">
        <source>answer(s)</source>
        <translation><numerusform>个回答</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>beam(s)</source>
        <translation><numerusform>个束</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>layer(s)</source>
        <translation><numerusform>层</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>step(s)</source>
        <translation><numerusform>步</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>token(s)</source>
        <translation><numerusform>个 token</numerusform></translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <source>The fastest</source>
        <translation>最快的方式</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>one text a line</source>
        <translation>每行一个文本</translation>
    </message>
    <message>
        <source>It has no effect now: it needs %1.</source>
        <translation>现在不起作用：它需要 %1。</translation>
    </message>
    <message>
        <source>It cannot change in the midst of a run. Resume from step 0 to change it.</source>
        <translation>运行途中不能更改。要更改，从第 0 步恢复。</translation>
    </message>
    <message>
        <source>the best answer</source>
        <translation>最佳回答</translation>
    </message>
    <message>
        <source>the search's end</source>
        <translation>搜索结束</translation>
    </message>
    <message>
        <source>block allocated</source>
        <translation>块已分配</translation>
    </message>
    <message>
        <source>block registered</source>
        <translation>块已登记</translation>
    </message>
    <message>
        <source>copy-on-write</source>
        <translation>写时复制</translation>
    </message>
    <message>
        <source>swap to the file</source>
        <translation>交换到文件</translation>
    </message>
    <message>
        <source>prefix hit</source>
        <translation>前缀命中</translation>
    </message>
    <message>
        <source>shared block</source>
        <translation>共享块</translation>
    </message>
    <message>
        <source>swap in</source>
        <translation>换入</translation>
    </message>
    <message>
        <source>context evicted</source>
        <translation>上下文驱逐</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>roll-back</source>
        <translation>回滚</translation>
    </message>
    <message>
        <source>draft verified</source>
        <translation>草稿已验证</translation>
    </message>
    <message>
        <source>grammar mask</source>
        <translation>语法掩码</translation>
    </message>
    <message>
        <source>cancellation</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>request finished</source>
        <translation>请求完成</translation>
    </message>
    <message>
        <source>admission</source>
        <translation>准入</translation>
    </message>
    <message>
        <source>fork</source>
        <translation>分叉</translation>
    </message>
    <message>
        <source>preemption</source>
        <translation>抢占</translation>
    </message>
    <message>
        <source>beam replaced</source>
        <translation>束被替换</translation>
    </message>
    <message>
        <source>scheduled</source>
        <translation>已调度</translation>
    </message>
    <message>
        <source>a request waits</source>
        <translation>请求等待</translation>
    </message>
    <message>
        <source>a sequence resumes</source>
        <translation>序列恢复</translation>
    </message>
    <message>
        <source>First steps</source>
        <translation>入门</translation>
    </message>
    <message>
        <source>Batching</source>
        <translation>批处理</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Shared prefixes</source>
        <translation>共享前缀</translation>
    </message>
    <message>
        <source>Order and deadlines</source>
        <translation>顺序与截止时间</translation>
    </message>
    <message>
        <source>Several answers</source>
        <translation>多个回答</translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation>推测解码</translation>
    </message>
    <message>
        <source>Others</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1: cannot be used here</source>
        <translation>%1：在此不可用</translation>
    </message>
    <message>
        <source>It cannot be used: %1. To change that: %2.</source>
        <translation>无法使用：%1。要改变这一点：%2。</translation>
    </message>
    <message>
        <source>The processor computes, in this computer's memory.</source>
        <translation>由处理器计算，使用这台计算机的内存。</translation>
    </message>
    <message>
        <source>The GPU computes, and keeps weights, keys and values in its own memory. It rounds otherwise than the processor, so that the same question may get other words.</source>
        <translation>由 GPU 计算，权重、键和值放在它自己的内存中。它的舍入与处理器不同，因此同一提问可能得到不同的措辞。</translation>
    </message>
    <message>
        <source>a quarter</source>
        <translation>四分之一</translation>
    </message>
    <message>
        <source>a half</source>
        <translation>一半</translation>
    </message>
    <message>
        <source>three quarters</source>
        <translation>四分之三</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Free text</source>
        <translation>自由文本</translation>
    </message>
    <message>
        <source>An answer may be any text.</source>
        <translation>回答可以是任意文本。</translation>
    </message>
    <message>
        <source>JSON, any object</source>
        <translation>JSON，任意对象</translation>
    </message>
    <message>
        <source>Each answer is one JSON object.</source>
        <translation>每个回答都是一个 JSON 对象。</translation>
    </message>
    <message>
        <source>JSON schema</source>
        <translation>JSON schema</translation>
    </message>
    <message>
        <source>Each answer is JSON that is valid by this schema.</source>
        <translation>每个回答都是符合此 schema 的 JSON。</translation>
    </message>
    <message>
        <source>One of these texts</source>
        <translation>这些文本之一</translation>
    </message>
    <message>
        <source>One a line; \n is a new line in a text. Each answer is one of them.</source>
        <translation>每行一个；文本中的 \n 表示换行。每个回答都是其中之一。</translation>
    </message>
    <message>
        <source>yes
no</source>
        <translation>是
否</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>Each answer matches this pattern as a whole.</source>
        <translation>每个回答整体匹配此模式。</translation>
    </message>
    <message>
        <source>Grammar (GBNF)</source>
        <translation>语法（GBNF）</translation>
    </message>
    <message>
        <source>Each answer is what the rule root of this grammar says.</source>
        <translation>每个回答都符合此语法的规则 root。</translation>
    </message>
    <message numerus="yes">
        <source>One of %n text(s)</source>
        <translation><numerusform>%n 个文本之一</numerusform></translation>
    </message>
    <message>
        <source>%1 (not known here)</source>
        <translation>%1（此处不认识）</translation>
    </message>
    <message>
        <source>Model's own</source>
        <translation>模型自带</translation>
    </message>
    <message>
        <source>The open model comes with no recommendation: as set in the window.</source>
        <translation>打开的模型没有附带推荐：按窗口中的设置。</translation>
    </message>
    <message>
        <source>temperature %1</source>
        <translation>温度 %1</translation>
    </message>
    <message>
        <source>top-p %1</source>
        <translation>top-p %1</translation>
    </message>
    <message>
        <source>top-k %1</source>
        <translation>top-k %1</translation>
    </message>
    <message>
        <source>min-p %1</source>
        <translation>min-p %1</translation>
    </message>
    <message>
        <source>typical-p %1</source>
        <translation>typical-p %1</translation>
    </message>
    <message>
        <source>repetition penalty %1</source>
        <translation>重复惩罚 %1</translation>
    </message>
    <message>
        <source>As the model's makers recommend: %1.</source>
        <translation>按模型作者的推荐：%1。</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>Always the most likely token (temperature 0): the same question has the same answer.</source>
        <translation>总是选最可能的 token（温度 0）：同样的提问得到同样的回答。</translation>
    </message>
    <message>
        <source>Balanced</source>
        <translation>均衡</translation>
    </message>
    <message>
        <source>Temperature 0.7, top-p 0.9, top-k 40: varied words, few surprises.</source>
        <translation>温度 0.7，top-p 0.9，top-k 40：用词多样，少有意外。</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>自由</translation>
    </message>
    <message>
        <source>Temperature 1.0, min-p 0.05: every token that is not far from the likeliest.</source>
        <translation>温度 1.0，min-p 0.05：不比最可能者差太远的 token 都有机会。</translation>
    </message>
    <message>
        <source>This model's chat template has no place for tools: the model does not hear of them.</source>
        <translation>这个模型的聊天模板没有工具的位置：模型不知道它们。</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message numerus="yes">
        <source>%n stop string(s)</source>
        <translation><numerusform>%n 个停止字符串</numerusform></translation>
    </message>
    <message>
        <source>Tools: %1</source>
        <translation>工具：%1</translation>
    </message>
    <message>
        <source>Tools that cannot be read</source>
        <translation>无法读取的工具</translation>
    </message>
    <message>
        <source>Form: %1</source>
        <translation>形式：%1</translation>
    </message>
    <message>
        <source>Thinks first</source>
        <translation>先思考</translation>
    </message>
    <message>
        <source>Answers at once</source>
        <translation>直接回答</translation>
    </message>
    <message>
        <source>Effort: %1</source>
        <translation>思考力度：%1</translation>
    </message>
    <message>
        <source>Told otherwise to the template</source>
        <translation>给模板的内容有改动</translation>
    </message>
    <message>
        <source>Typed special tokens count</source>
        <translation>输入的特殊 token 有效</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>The colours of all windows.</source>
        <translation>所有窗口的颜色。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>The words of the window, of the sentences and of the lessons.</source>
        <translation>窗口、说明句子和课程所用的语言。</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>跟随桌面</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>The letters of all windows.</source>
        <translation>所有窗口的文字。</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1%</translation>
    </message>
    <message>
        <source>Places of the panels</source>
        <translation>面板的位置</translation>
    </message>
    <message>
        <source>Panels can be moved, closed and put behind one another. This puts them back where they were.</source>
        <translation>面板可以移动、关闭、叠放。这会把它们放回原处。</translation>
    </message>
    <message>
        <source>Restore default layout</source>
        <translation>恢复默认布局</translation>
    </message>
    <message>
        <source>Vitrine starts with</source>
        <translation>Vitrine 启动时</translation>
    </message>
    <message>
        <source>The perspective that the window opens with.</source>
        <translation>窗口打开时的视角。</translation>
    </message>
    <message>
        <source>The last one</source>
        <translation>上次的</translation>
    </message>
    <message>
        <source>Open the model of last time</source>
        <translation>打开上次的模型</translation>
    </message>
    <message>
        <source>When the program starts. Off: it starts with the built-in model.</source>
        <translation>程序启动时。关闭：以内置模型启动。</translation>
    </message>
    <message>
        <source>First page</source>
        <translation>首页</translation>
    </message>
    <message>
        <source>Look inside, just chat, or open a model of yours.</source>
        <translation>看看内部、只聊天，或打开你的模型。</translation>
    </message>
    <message>
        <source>Welcome…</source>
        <translation>欢迎…</translation>
    </message>
    <message>
        <source>Keep the chats on this computer</source>
        <translation>在这台计算机上保存聊天</translation>
    </message>
    <message>
        <source>From the next start on; until then chats are kept as they are now. Off: chats are gone when the program ends, and those of before stay in their file, out of sight.</source>
        <translation>从下次启动起生效；在那之前聊天照现在的方式保存。关闭：程序结束时聊天消失，以前的聊天仍留在文件中，但不显示。</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Private</source>
        <translation>私密</translation>
    </message>
    <message>
        <source>Write the whole path of the folder, from / on.</source>
        <translation>写出文件夹的完整路径，从 / 开始。</translation>
    </message>
    <message>
        <source>%1 is a file, not a folder.</source>
        <translation>%1 是文件，不是文件夹。</translation>
    </message>
    <message>
        <source>Nothing can be written in %1.</source>
        <translation>无法在 %1 中写入。</translation>
    </message>
    <message>
        <source>Folder for downloads</source>
        <translation>下载文件夹</translation>
    </message>
    <message>
        <source>Where models that you download are put, and looked for.</source>
        <translation>你下载的模型存放在这里，也从这里查找。</translation>
    </message>
    <message>
        <source>Where models come from</source>
        <translation>模型来源</translation>
    </message>
    <message>
        <source>The address of Hugging Face, or of a mirror of it. It is asked only when you list or download.</source>
        <translation>Hugging Face 或其镜像的地址。只有在列出或下载时才会访问。</translation>
    </message>
    <message>
        <source>%1 is no address. Write it whole, such as https://huggingface.co.</source>
        <translation>%1 不是地址。写完整，例如 https://huggingface.co。</translation>
    </message>
    <message>
        <source>Proxy for downloads</source>
        <translation>下载用的代理</translation>
    </message>
    <message>
        <source>http://host:port, socks5://host:port, or none. A password in it is kept as it is written here.</source>
        <translation>http://host:port、socks5://host:port 或 none。其中的密码会照原样保存。</translation>
    </message>
    <message>
        <source>As the desktop has it</source>
        <translation>与桌面相同</translation>
    </message>
    <message>
        <source>Folders with models</source>
        <translation>模型文件夹</translation>
    </message>
    <message>
        <source>Models of other programs are found by themselves; folders of yours are added there.</source>
        <translation>其他程序的模型会自动找到；你自己的文件夹在那里添加。</translation>
    </message>
    <message>
        <source>Models on this computer…</source>
        <translation>这台计算机上的模型…</translation>
    </message>
    <message>
        <source>Options of the machine</source>
        <translation>机器的选项</translation>
    </message>
    <message>
        <source>Scheduling, memory, computing and speculation. A change loads the machine anew.</source>
        <translation>调度、内存、计算和推测解码。更改后会重新加载机器。</translation>
    </message>
    <message>
        <source>Machine options…</source>
        <translation>机器选项…</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Answers to new messages</source>
        <translation>新消息的回答</translation>
    </message>
    <message>
        <source>Models and downloads</source>
        <translation>模型与下载</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>Show the list of chats</source>
        <translation>显示聊天列表</translation>
    </message>
    <message>
        <source>All your chats, beside the conversation.</source>
        <translation>你的所有聊天，在对话旁边。</translation>
    </message>
    <message>
        <source>Colour surprising words</source>
        <translation>给意外的词着色</translation>
    </message>
    <message>
        <source>The less likely the model held a word of an answer, the stronger its colour.</source>
        <translation>模型认为回答中的某个词越不可能，颜色就越深。</translation>
    </message>
    <message>
        <source>Let the model name new chats</source>
        <translation>让模型为新聊天命名</translation>
    </message>
    <message>
        <source>One short request after the first answer. Any other request goes before it, and a name that you give stays.</source>
        <translation>在第一个回答之后发一个简短的请求。任何其他请求都先于它，你起的名称会保留。</translation>
    </message>
    <message>
        <source>Let the model think first</source>
        <translation>让模型先思考</translation>
    </message>
    <message>
        <source>For models that can, such as Qwen3: better answers, which come later.</source>
        <translation>用于有此能力的模型，如 Qwen3：回答更好，但来得更晚。</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
</context>
<context>
    <name>vitrine::savePictureAs</name>
    <message>
        <source>Drawings (*.svg);;Pictures (*.png)</source>
        <translation>图形 (*.svg);;图片 (*.png)</translation>
    </message>
</context>
</TS>
