import { formatsOf } from './formats.ts';
import type { TypedReply, Words } from './words.ts';

const { formats } = formatsOf('zh-Hant');

function reply(reply: TypedReply): string {
  if (reply.as === 'text') return '你的答案';
  const choice = { label: '選項的文字', number: '選項的編號', numbers: '選項的編號（例如：1, 2）' }[reply.as];
  return reply.orText ? `${choice}，或用自己的話回答` : choice;
}

export const zhHant: Words = {
  ...formats,
  moment: '{date_short_pretty} {time}',
  colon: '：',

  card: {
    question: '問題',
    questionFor: (who) => `請 ${who} 回答`,
    askedBy: (who) => `提問人：${who}`,
    place: (position, of) => `第 ${position} 題，共 ${of} 題`,
    answer: { text: '回答…', label: '回答…（開啟表單）' },
    other: { text: '其他…', label: '其他…（用自己的話回答）' },
    skip: { text: '略過', label: '略過這個問題' },
    withdraw: { text: '撤回', label: '撤回這個問題：僅限提問人' },
    submit: { text: '提交', label: '提交所選項目' },
    pickOne: '選擇一項',
    pickSome: '選擇一或多項',
    pickAll: '選擇所有適用的項目，然後提交',
    alsoByReply: (how) => `你也可以直接在此討論串中回覆${reply(how)}。`,
    onlyByReply: (how, who) =>
      `請在此討論串中回覆${reply(how)}。${who === undefined ? '若要結束整個任務，請回覆 `stop`。' : `${who} 回覆 \`stop\` 即可結束整個任務，並一併撤回這個問題。`}`,
  },

  receipt: {
    answered: (who) => (who === undefined ? '已回答' : `${who} 已回答`),
    skipped: (who) => (who === undefined ? '已略過' : `${who} 已略過`),
    superseded: (who) => (who === undefined ? '未回答；另有新訊息' : `未回答；${who} 另有指示`),
    expired: (after) => `${after}內無人回答`,
    cancelled: (who) => (who === undefined ? '已取消' : `${who} 已取消`),
    failed: '無法完成',
  },

  modal: {
    answer: '你的答案',
    otherAnswer: '其他答案',
    settled: '這個問題已經結束',
    answerField: '你的答案',
    send: '傳送',
    cancel: '取消',
    close: '關閉',
    blank: '請在此輸入答案。如果不想回答，請關閉表單，然後按「略過」。',
  },

  form: {
    title: '你的答案',
    changeTitle: '更改答案',
    mayStayEmpty: '留空的問題會維持未回答，可以稍後再答。',
    ownWords: '用自己的話回答，或為所選項目補充說明',
    answerAll: { text: '全部回答…', label: '全部回答…（在一份表單中回答所有未答的問題）' },
    change: { text: '更改…', label: '更改…（僅限回答的人）' },
    nothing: '請至少回答一個問題，或關閉這份表單。',
    neither: '請選擇一項或輸入答案。如果不想回答，請關閉表單，然後按「略過」。',
    settledMeanwhile: '你的其他答案已儲存。以下問題在收到你的答案之前已經結束：',
  },

  about: {
    title: '詢問這則訊息',
    field: '你的問題，或要我做的事',
    hint: '我會在該訊息的討論串中回答，所有人都能看到。',
    placeholder: '這對我們有什麼意義？',
    notThere: (bot) =>
      `我不在這個對話中，因此無法在那裡讀取或回答。請將 ${bot} 邀請到頻道，然後再試一次。我無法加入其他人之間的私訊。`,
  },

  home: {
    title: { waiting: '等你回答', asked: '你交辦的任務' },
    nothingWaits: '目前沒有等你回答的問題。若要交給我任務，請在頻道中提及我，或在「訊息」分頁中寫給我。',
    working: '處理中',
    asking: (questions) => `還有 ${questions} 個問題等待回答`,
    failed: '因發生問題而中斷，可以重試',
    openThread: '開啟討論串',
    directMessage: '私訊',
    stop: { text: '停止', label: '停止這項任務' },
    stopConfirm: {
      title: '要停止嗎？',
      text: '我會停止該討論串中的任務，並取消其中未回答的問題。',
      confirm: '停止',
      deny: '繼續進行',
    },
    previous: { text: '上一頁', label: '上一頁' },
    next: { text: '下一頁', label: '下一頁' },
    page: (page, of) => `第 ${page} 頁，共 ${of} 頁`,
  },

  post: {
    emptyReply: '已完成，沒有其他要補充的內容。',
    stopped: (who) => (who === undefined ? '已停止。' : `已由 ${who} 停止。`),
    reminder: (who, question) => `${who}，這裡還有一個問題等待回答：${question}`,
    invitation: (who) => `${who} 有一個問題想請你回答：`,
    retry: { text: '重試', label: '重試：從中斷的地方繼續' },
    retried: '已重試。',
    asked: (who) => `${who} 詢問此討論串中的一則訊息：`,
    feedback: { good: { text: '好', label: '好的回覆' }, bad: { text: '不好', label: '不好的回覆' } },
    help: [
      '把任務交給我：在頻道中提及我，或傳送私訊給我。我會在討論串中處理，並在那裡回覆。',
      '我會讀取你附上的圖片和文字檔案。如果想問已有的某則訊息，請在該訊息的選單中選擇「Ask about this message」。',
      '如果有不清楚的地方，或需要由你決定，我會在討論串中問你，不會自行猜測；無論多久，我都會等你回答。',
      '如果要我問其他人，請提及對方，例如：「問 @Tomas 是否可以發布」。我會向對方提問，只有對方可以回答。',
      '你可以使用按鈕回答，也可以直接輸入選項、選項編號，或在允許時用自己的話回答。按「略過」，我就會在沒有答案的情況下繼續。',
      '若要我停下來，請在討論串中回覆 `stop` 。',
    ],
  },

  prompts: {
    title: '要我做什麼？',
    offered: [
      { title: '你是怎麼工作的？', message: 'help' },
      { title: '和我一起規劃', message: '幫我規劃一件事。需要知道什麼就問我。' },
      { title: '幫我寫點東西', message: '幫我寫點東西。請問我寫給誰、要寫什麼。' },
      { title: '幫我做決定', message: '幫我在幾個選項之間做決定。請就這些選項向我提問。' },
    ],
  },

  failures: {
    rate_limited: '模型目前收到的要求過多，請在一分鐘後再試一次。',
    quota: '模型帳號的額度已用完，請負責管理此機器人的人員查看帳單。',
    auth: '模型不接受目前的金鑰，請負責管理此機器人的人員檢查 OPENAI_API_KEY。',
    not_found: '在這個位址找不到此模型，請負責管理此機器人的人員檢查 OPENAI_MODEL 和 OPENAI_BASE_URL。',
    context_too_long: '這段對話對模型來說太長了。請另開一個討論串，並說明這裡的重點。',
    bad_request: '模型不接受這項要求。原因記錄在日誌中；另開一個討論串或許有幫助。',
    refused: '答案被模型的內容篩選機制攔下了，請換個說法試試。',
    empty: '模型沒有給出任何答案，請再試一次。',
    bad_response: '模型給出的答案無法讀取，請再試一次。',
    server: '模型目前發生問題，請在一分鐘後再試一次。',
    network: '無法連線到模型，請在一分鐘後再試一次。',
    timeout: '模型沒有及時回應，請再試一次。',
    store: '無法儲存或讀取這項任務。已經回答的內容都還在，請再試一次。',
    internal: '代理程式內部發生錯誤。',
    answers_not_taken: '代理程式沒有接收到給它的答案。',
    run_lost: '我遺失了這裡的進度，無法使用這些答案。請重新提出你的要求。',
    interrupted: '處理時多次中斷，我已放棄這項任務。請重新提出你的要求。',
    reply_refused: '我的部分回覆遭到 Slack 拒絕，因此這裡缺少了一段。',
  },

  whisper: {
    keptForLater(open, requester) {
      const whom = requester === undefined ? '' : `（等待 ${requester} 回答）`;
      return `收到，但沒有當作回答。等我繼續時會先讀你的訊息：上方還有 ${open} 個問題尚未回答${whom}。`;
    },
    alreadySettled: (ending) => `這個問題已經結束。${ending}。`,
    severalWait:
      '有多個問題在等你回答，我無法判斷你指的是哪一個。請在提問的那則訊息的討論串中回覆，或在我的首頁分頁中回答。',
    unreadable:
      '我已無法讀取這個討論串的記錄，所以沒有做任何變更。請開一個新的討論串；負責維運的人可以在我的記錄檔中找到原因。',
    notSaved: '來不及儲存這個動作，請稍後再試一次。如果最後還是成功了，卡片上會顯示。',
    unknownQuestion: '我找不到這個問題（可能已經移除），因此沒有任何變更。提及我即可重新開始。',
    nothingToStop: '這裡沒有正在進行的任務，不需要停止。',
    nothingToRetry: '已經沒有可以重試的任務。',
    feedbackNoted: { good: '謝謝，已記下。', bad: '謝謝，已記下。如果要我改進，請在這裡提及我，並說明哪裡不對。' },
    feedbackUnknown: '我已不再記得這則回覆，因此沒有記錄任何內容。',
    notArrived: '沒有收到你選擇的項目，請再選一次。',
    formLate: '開啟表單花了太久時間，請再按一次。',
    formRefused: '無法開啟表單。請再按一次，或在此討論串中輸入答案。',
  },

  refusals: {
    not_requester: (who) => `只有發起人${who === undefined ? '' : `（${who}）`}可以這麼做。沒有任何變更。`,
    not_asked: (who) =>
      `${who === undefined ? '這個問題是問其他人的' : `只有 ${who} 可以回答這個問題`}。沒有任何變更。`,
    not_participant: '只有在此討論串中發過言的人可以這麼做。沒有任何變更。',
    guest: '此工作空間的訪客無法在這裡使用我。沒有任何變更。',
    external: '其他組織的人員無法在這裡使用我。沒有任何變更。',
    unknown_person: 'Slack 無法告訴我你是誰，因此沒有任何變更。請稍後再試一次。',
    user_not_listed: '你不在可以使用我的名單中。沒有任何變更；請洽詢負責管理此機器人的人員。',
    channel_not_listed: '我不能在這個頻道中運作。沒有任何變更；請洽詢負責管理此機器人的人員。',
  },

  problems: {
    unreadable: '無法讀取這個答案，請再試一次。',
    blank: '答案是空白的，請輸入內容。',
    part_blank: '其中一個答案是空白的。',
    no_such_option: '這個問題沒有這個選項。',
    too_many: '只能選擇一個選項。',
    options_only: '這個問題只接受列出的選項，請從中選擇。',
    nothing_picked: (several) => (several ? '請至少選擇一個選項。' : '請選擇一個選項。'),
    ambiguous: (text) => `「${text}」符合多個選項，請選擇其中一個。`,
    not_options: (texts) => `這些不在選項之中：${texts}。`,
    too_long: (characters) => `答案太長，最多 ${characters} 個字元。`,
  },

  working: '正在處理…',
};
