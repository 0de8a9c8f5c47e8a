import { formatsOf } from './formats.ts';
import type { TypedReply, Words } from './words.ts';

const { formats } = formatsOf('zh-Hans');

function reply(reply: TypedReply): string {
  if (reply.as === 'text') return '你的答案';
  const choice = { label: '选项的文字', number: '选项的编号', numbers: '选项的编号（例如：1, 2）' }[reply.as];
  return reply.orText ? `${choice}，或用自己的话回答` : choice;
}

export const zhHans: Words = {
  ...formats,
  moment: '{date_short_pretty} {time}',
  colon: '：',

  card: {
    question: '问题',
    questionFor: (who) => `请 ${who} 回答`,
    askedBy: (who) => `提问人：${who}`,
    place: (position, of) => `第 ${position} 题，共 ${of} 题`,
    answer: { text: '回答…', label: '回答…（打开表单）' },
    other: { text: '其他…', label: '其他…（用自己的话回答）' },
    skip: { text: '跳过', label: '跳过这个问题' },
    withdraw: { text: '撤回', label: '撤回这个问题：仅限提问人' },
    submit: { text: '提交', label: '提交所选项' },
    pickOne: '选择一项',
    pickSome: '选择一项或多项',
    pickAll: '选择所有适用的选项，然后提交',
    alsoByReply: (how) => `你也可以直接在此消息列中回复${reply(how)}。`,
    onlyByReply: (how, who) =>
      `请在此消息列中回复${reply(how)}。${who === undefined ? '若要结束整个任务，请回复 `stop`。' : `${who} 回复 \`stop\` 即可结束整个任务，并一并撤回这个问题。`}`,
  },

  receipt: {
    answered: (who) => (who === undefined ? '已回答' : `${who} 已回答`),
    skipped: (who) => (who === undefined ? '已跳过' : `${who} 已跳过`),
    superseded: (who) => (who === undefined ? '未回答；另有新消息' : `未回答；${who} 另有指示`),
    expired: (after) => `${after}内无人回答`,
    cancelled: (who) => (who === undefined ? '已取消' : `${who} 已取消`),
    failed: '无法完成',
  },

  modal: {
    answer: '你的答案',
    otherAnswer: '其他答案',
    settled: '这个问题已经结束',
    answerField: '你的答案',
    send: '发送',
    cancel: '取消',
    close: '关闭',
    blank: '请在此输入答案。如果不想回答，请关闭表单，然后点击“跳过”。',
  },

  form: {
    title: '你的答案',
    changeTitle: '更改答案',
    mayStayEmpty: '留空的问题会保持未回答，可以稍后再答。',
    ownWords: '用自己的话回答，或为所选项补充说明',
    answerAll: { text: '全部回答…', label: '全部回答…（在一个表单中回答所有未答的问题）' },
    change: { text: '更改…', label: '更改…（仅限回答的人）' },
    nothing: '请至少回答一个问题，或关闭此表单。',
    neither: '请选择一项或输入答案。如果不想回答，请关闭表单，然后点击“跳过”。',
    settledMeanwhile: '你的其他答案已保存。以下问题在收到你的答案之前已经结束：',
  },

  about: {
    title: '询问这条消息',
    field: '你的问题，或要我做的事',
    hint: '我会在该消息的消息列中回答，所有人都能看到。',
    placeholder: '这对我们意味着什么？',
    notThere: (bot) =>
      `我不在这个对话中，因此无法在那里读取或回答。请将 ${bot} 邀请到频道，然后重试。我无法加入其他人之间的私信。`,
  },

  home: {
    title: { waiting: '等你回答', asked: '你交办的任务' },
    nothingWaits: '目前没有等你回答的问题。若要交给我任务，请在频道中提及我，或在“消息”标签页中写给我。',
    working: '处理中',
    asking: (questions) => `还有 ${questions} 个问题等待回答`,
    failed: '因出现问题而中断，可以重试',
    openThread: '打开消息列',
    directMessage: '私信',
    stop: { text: '停止', label: '停止这项任务' },
    stopConfirm: {
      title: '要停止吗？',
      text: '我会停止该消息列中的任务，并取消其中未回答的问题。',
      confirm: '停止',
      deny: '继续进行',
    },
    previous: { text: '上一页', label: '上一页' },
    next: { text: '下一页', label: '下一页' },
    page: (page, of) => `第 ${page} 页，共 ${of} 页`,
  },

  post: {
    emptyReply: '已完成，没有其他要补充的内容。',
    stopped: (who) => (who === undefined ? '已停止。' : `已由 ${who} 停止。`),
    reminder: (who, question) => `${who}，这里还有一个问题等待回答：${question}`,
    invitation: (who) => `${who} 有一个问题想请你回答：`,
    retry: { text: '重试', label: '重试：从中断的地方继续' },
    retried: '已重试。',
    asked: (who) => `${who} 询问此消息列中的一条消息：`,
    feedback: { good: { text: '好', label: '好的回复' }, bad: { text: '不好', label: '不好的回复' } },
    help: [
      '把任务交给我：在频道中提及我，或给我发送私信。我会在消息列中处理，并在那里回复。',
      '我会读取你附上的图片和文本文件。如果想问已有的某条消息，请在该消息的菜单中选择“Ask about this message”。',
      '如果有不清楚的地方，或者需要由你决定，我会在消息列中问你，不会自行猜测；无论多久，我都会等你回答。',
      '如果要我问其他人，请提及对方，例如：“问 @Tomas 是否可以发布”。我会向对方提问，只有对方可以回答。',
      '你可以点击按钮回答，也可以直接输入选项、选项编号，或在允许时用自己的话回答。点击“跳过”，我就会在没有答案的情况下继续。',
      '若要我停下来，请在消息列中回复 `stop` 。',
    ],
  },

  prompts: {
    title: '要我做什么？',
    offered: [
      { title: '你是怎么工作的？', message: 'help' },
      { title: '和我一起制定计划', message: '帮我制定一个计划。需要知道什么就问我。' },
      { title: '帮我写点东西', message: '帮我写点东西。请问我写给谁、要写什么。' },
      { title: '帮我做决定', message: '帮我在几个选项之间做决定。请就这些选项向我提问。' },
    ],
  },

  failures: {
    rate_limited: '模型当前收到的请求过多，请在一分钟后重试。',
    quota: '模型帐户的额度已用完，请负责管理此机器人的人员查看账单。',
    auth: '模型不接受当前的密钥，请负责管理此机器人的人员检查 OPENAI_API_KEY。',
    not_found: '在此地址找不到该模型，请负责管理此机器人的人员检查 OPENAI_MODEL 和 OPENAI_BASE_URL。',
    context_too_long: '这段对话对模型来说太长了。请新开一个消息列，并说明这里的要点。',
    bad_request: '模型不接受此请求。原因记录在日志中；新开一个消息列或许有帮助。',
    refused: '答案被模型的内容过滤机制拦下了，请换个说法试试。',
    empty: '模型没有给出任何答案，请重试。',
    bad_response: '模型给出的答案无法读取，请重试。',
    server: '模型目前出现问题，请在一分钟后重试。',
    network: '无法连接到模型，请在一分钟后重试。',
    timeout: '模型没有及时响应，请重试。',
    store: '无法保存或读取这项任务。已经回答的内容都还在，请重试。',
    internal: '智能体内部出现错误。',
    answers_not_taken: '智能体没有接收到给它的答案。',
    run_lost: '我丢失了这里的进度，无法使用这些答案。请重新提出你的要求。',
    interrupted: '处理时多次中断，我已放弃这项任务。请重新提出你的要求。',
    reply_refused: '我的部分回复被 Slack 拒绝，因此这里缺少了一段。',
  },

  whisper: {
    keptForLater(open, requester) {
      const whom = requester === undefined ? '' : `（等待 ${requester} 回答）`;
      return `收到，但没有当作回答。等我继续时会先读你的消息：上方还有 ${open} 个问题尚未回答${whom}。`;
    },
    alreadySettled: (ending) => `这个问题已经结束。${ending}。`,
    severalWait:
      '有多个问题在等你回答，我无法判断你指的是哪一个。请在提问的那条消息下的消息列中回复，或在我的主页标签中回答。',
    unreadable:
      '我已无法读取此消息列的记录，因此未做任何更改。请新开一个消息列；负责运维的人可以在我的日志中找到原因。',
    notSaved: '来不及保存此操作，请稍后重试。如果最后还是成功了，卡片上会显示。',
    unknownQuestion: '我找不到这个问题（可能已被移除），因此没有任何更改。提及我即可重新开始。',
    nothingToStop: '这里没有正在进行的任务，不需要停止。',
    nothingToRetry: '已经没有可以重试的任务。',
    feedbackNoted: { good: '谢谢，已记下。', bad: '谢谢，已记下。如果要我改进，请在这里提及我，并说明哪里不对。' },
    feedbackUnknown: '我已不再记得这条回复，因此没有记录任何内容。',
    notArrived: '没有收到你选择的项，请再选一次。',
    formLate: '打开表单用时太久，请再点击一次。',
    formRefused: '无法打开表单。请再点击一次，或在此消息列中输入答案。',
  },

  refusals: {
    not_requester: (who) => `只有发起人${who === undefined ? '' : `（${who}）`}可以这么做。没有任何更改。`,
    not_asked: (who) =>
      `${who === undefined ? '这个问题是问其他人的' : `只有 ${who} 可以回答这个问题`}。没有任何更改。`,
    not_participant: '只有在此消息列中发过言的人可以这么做。没有任何更改。',
    guest: '此工作区的访客无法在这里使用我。没有任何更改。',
    external: '其他组织的人员无法在这里使用我。没有任何更改。',
    unknown_person: 'Slack 无法告诉我你是谁，因此没有任何更改。请稍后重试。',
    user_not_listed: '你不在可以使用我的名单中。没有任何更改；请联系负责管理此机器人的人员。',
    channel_not_listed: '我不能在这个频道中工作。没有任何更改；请联系负责管理此机器人的人员。',
  },

  problems: {
    unreadable: '无法读取这个答案，请重试。',
    blank: '答案是空白的，请输入内容。',
    part_blank: '其中一个答案是空白的。',
    no_such_option: '这个问题没有这个选项。',
    too_many: '只能选择一个选项。',
    options_only: '这个问题只接受列出的选项，请从中选择。',
    nothing_picked: (several) => (several ? '请至少选择一个选项。' : '请选择一个选项。'),
    ambiguous: (text) => `“${text}”符合多个选项，请选择其中一个。`,
    not_options: (texts) => `这些不在选项之中：${texts}。`,
    too_long: (characters) => `答案太长，最多 ${characters} 个字符。`,
  },

  working: '正在处理…',
};
