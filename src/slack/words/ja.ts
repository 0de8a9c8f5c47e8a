import { formatsOf } from './formats.ts';
import type { TypedReply, Words } from './words.ts';

const { formats } = formatsOf('ja');

function reply(reply: TypedReply): string {
  if (reply.as === 'text') return '回答';
  const choice = { label: '選択肢の文言', number: '選択肢の番号', numbers: '選択肢の番号（例：1, 2）' }[reply.as];
  return reply.orText ? `${choice}、または自由な文章` : choice;
}

export const ja: Words = {
  ...formats,
  moment: '{date_short_pretty} {time}',
  colon: '：',

  card: {
    question: '質問',
    questionFor: (who) => `${who} さんへの質問`,
    askedBy: (who) => `質問者：${who} さん`,
    place: (position, of) => `${of} 件中 ${position} 件目`,
    answer: { text: '回答する…', label: '回答する…（フォームを開く）' },
    other: { text: 'その他…', label: 'その他…（自由に回答する）' },
    skip: { text: 'スキップ', label: 'スキップ（この質問に回答しない）' },
    withdraw: { text: '取り下げる', label: '取り下げる（質問した人だけができます）' },
    submit: { text: '送信する', label: '送信する（選択した項目）' },
    pickOne: '1 つ選択',
    pickSome: '選択（複数可）',
    pickAll: '当てはまるものをすべて選択して送信してください',
    alsoByReply: (how) => `このスレッドに${reply(how)}を返信しても回答できます。`,
    onlyByReply: (how, who) =>
      `このスレッドに${reply(how)}を返信してください。${who === undefined ? '作業全体を終了するには `stop` と返信してください。' : `${who} さんが \`stop\` と返信すると、作業全体が終了し、この質問も取り下げられます。`}`,
  },

  receipt: {
    answered: (who) => (who === undefined ? '回答済み' : `${who} さんが回答しました`),
    skipped: (who) => (who === undefined ? 'スキップ済み' : `${who} さんがスキップしました`),
    superseded: (who) =>
      who === undefined ? '未回答（別のメッセージを優先）' : `未回答（${who} さんから別の指示がありました）`,
    expired: (after) => `${after}以内に回答がありませんでした`,
    cancelled: (who) => (who === undefined ? 'キャンセル済み' : `${who} さんがキャンセルしました`),
    failed: '完了できませんでした',
  },

  modal: {
    answer: '回答',
    otherAnswer: 'その他の回答',
    settled: '受付を終了した質問',
    answerField: '回答',
    send: '送信する',
    cancel: 'キャンセル',
    close: '閉じる',
    blank: 'ここに回答を入力してください。回答しない場合は、このフォームを閉じて「スキップ」を押してください。',
  },

  form: {
    title: '回答',
    changeTitle: '回答を変更',
    mayStayEmpty: '空欄の質問は未回答のまま残り、あとで回答できます。',
    ownWords: '自由記入（選択への補足もこちらへ）',
    answerAll: { text: 'まとめて回答…', label: 'まとめて回答…（未回答の質問を 1 つのフォームで）' },
    change: { text: '変更する…', label: '変更する…（回答した本人のみ）' },
    nothing: '少なくとも 1 つの質問に回答するか、このフォームを閉じてください。',
    neither:
      '選択肢を選ぶか、回答を入力してください。回答しない場合は、このフォームを閉じて「スキップ」を押してください。',
    settledMeanwhile: 'ほかの回答は保存しました。次の質問は、回答が届く前に受付を終了していました：',
  },

  about: {
    title: 'このメッセージについて質問',
    field: '質問または依頼内容',
    hint: 'メッセージのスレッドで回答します。スレッドは全員が読めます。',
    placeholder: 'これは私たちにとって何を意味しますか？',
    notThere: (bot) =>
      `この会話に参加していないため、読むことも回答することもできません。${bot} をチャンネルに招待してから、もう一度お試しください。ほかの人同士のダイレクトメッセージには参加できません。`,
  },

  home: {
    title: { waiting: 'あなたの回答待ち', asked: '依頼した作業' },
    nothingWaits:
      '回答待ちの質問はありません。作業を依頼するには、チャンネルでメンションするか、「メッセージ」タブで話しかけてください。',
    working: '作業中です',
    asking: (questions) => `${questions} 件の回答を待っています`,
    failed: '問題が発生して止まりました。再試行できます',
    openThread: 'スレッドを開く',
    directMessage: 'ダイレクトメッセージ',
    stop: { text: '停止する', label: '停止する（この作業を終了）' },
    stopConfirm: {
      title: '停止しますか？',
      text: 'このスレッドでの作業を終了し、未回答の質問をキャンセルします。',
      confirm: '停止する',
      deny: '続ける',
    },
    previous: { text: '前へ', label: '前へ（前のページ）' },
    next: { text: '次へ', label: '次へ（次のページ）' },
    page: (page, of) => `${of} ページ中 ${page} ページ目`,
  },

  post: {
    emptyReply: '完了しました。ほかにお伝えすることはありません。',
    stopped: (who) => (who === undefined ? '停止しました。' : `${who} さんが停止しました。`),
    reminder: (who, question) => `${who} さん、この質問が回答を待っています：${question}`,
    invitation: (who) => `${who} さんからの質問です：`,
    retry: { text: '再試行', label: '再試行（中断したところから続ける）' },
    retried: '再試行しました。',
    asked: (who) => `${who} さんがこのスレッドのメッセージについて質問しています：`,
    feedback: { good: { text: '良い', label: '良い回答' }, bad: { text: '良くない', label: '良くない回答' } },
    help: [
      'タスクをお任せください。チャンネルでメンションするか、ダイレクトメッセージを送ってください。スレッドで作業し、そこで返信します。',
      '添付された画像やテキストファイルも読みます。すでにあるメッセージについて尋ねるには、そのメニューで「Ask about this message」を選んでください。',
      '不明な点や判断が必要なことがあれば、推測せずにスレッドで質問します。回答をいただけるまで、いつまでもお待ちします。',
      'ほかの人に質問してほしいときは、その人をメンションしてください（例：「@Tomas にリリースしてよいか聞いて」）。その人に質問し、回答できるのはその人だけです。',
      'ボタンで回答するほか、選択肢の文言や番号、可能な場合は自由な文章を入力して回答できます。「スキップ」を押すと、回答なしで先に進みます。',
      '作業を終了するには、スレッドに `stop` と返信してください。',
    ],
  },

  prompts: {
    title: '何をしましょうか？',
    offered: [
      { title: '使い方を知りたい', message: 'help' },
      { title: '一緒に計画を立てる', message: '計画を立てるのを手伝ってください。必要なことは質問してください。' },
      { title: '文章を書いてもらう', message: '文章を書くのを手伝ってください。誰に何を伝えるのか質問してください。' },
      {
        title: '決めるのを手伝ってもらう',
        message: 'いくつかの選択肢から決めるのを手伝ってください。それぞれについて質問してください。',
      },
    ],
  },

  failures: {
    rate_limited: '現在、モデルへのリクエストが多すぎます。1 分ほどしてからもう一度お試しください。',
    quota: 'モデルのアカウントの残高がありません。このボットの管理者に、支払い状況の確認を依頼してください。',
    auth: 'モデルがキーを受け付けませんでした。このボットの管理者に、OPENAI_API_KEY の確認を依頼してください。',
    not_found:
      'このアドレスに指定のモデルがありません。このボットの管理者に、OPENAI_MODEL と OPENAI_BASE_URL の確認を依頼してください。',
    context_too_long:
      '会話がモデルの上限より長くなりました。新しいスレッドを開始し、ここまでの要点をお知らせください。',
    bad_request:
      'モデルがリクエストを受け付けませんでした。理由はログに記録されています。新しいスレッドで試すと解決する場合があります。',
    refused: '回答がモデルのコンテンツフィルターによって差し止められました。別の表現でお試しください。',
    empty: 'モデルの回答が空でした。もう一度お試しください。',
    bad_response: 'モデルの回答を読み取れませんでした。もう一度お試しください。',
    server: '現在、モデル側で問題が発生しています。1 分ほどしてからもう一度お試しください。',
    network: 'モデルに接続できませんでした。1 分ほどしてからもう一度お試しください。',
    timeout: 'モデルが時間内に応答しませんでした。もう一度お試しください。',
    store: '作業の保存または読み込みができませんでした。いただいた回答は失われていません。もう一度お試しください。',
    internal: 'エージェントの内部で問題が発生しました。',
    answers_not_taken: 'エージェントが回答を受け取りませんでした。',
    run_lost: 'ここでの作業の状態が失われ、回答を使用できません。もう一度ご依頼ください。',
    interrupted: '作業中に何度も中断されたため、中止しました。もう一度ご依頼ください。',
    reply_refused: '返信の一部が Slack に拒否されたため、ここには表示されていません。',
  },

  whisper: {
    keptForLater(open, requester) {
      const whom = requester === undefined ? '' : `（${requester} さんの回答待ち）`;
      return `承知しました（回答としては扱っていません）。作業を再開するときにメッセージを読みます。上の質問 ${open} 件がまだ未回答です${whom}。`;
    },
    alreadySettled: (ending) => `この質問の受付はすでに終了しています。${ending}。`,
    severalWait:
      'あなたの回答を待っている質問が複数あるため、どれへの回答か判断できません。質問のメッセージのスレッドに返信するか、ホームタブで回答してください。',
    unreadable:
      'このスレッドの記録を読み取れなくなったため、何も変更していません。新しいスレッドを始めてください。原因は管理者が私のログで確認できます。',
    notSaved:
      '時間内に保存できませんでした。しばらくしてからもう一度お試しください。保存できていた場合は、カードに表示されます。',
    unknownQuestion:
      'この質問が見つからない（または削除された）ため、何も変更していません。もう一度始めるには、メンションしてください。',
    nothingToStop: 'ここで実行中の作業はないため、停止するものはありません。',
    nothingToRetry: '再試行できる作業はもうありません。',
    feedbackNoted: {
      good: 'ありがとうございます。記録しました。',
      bad: 'ありがとうございます。記録しました。やり直す場合は、ここでメンションして、何が良くなかったかを教えてください。',
    },
    feedbackUnknown: 'この返信はもう記録にないため、何も保存していません。',
    notArrived: '選択した内容が届きませんでした。もう一度選択してください。',
    formLate: 'フォームを開くのに時間がかかりすぎました。もう一度クリックしてください。',
    formRefused: 'フォームを開けませんでした。もう一度クリックするか、このスレッドに回答を入力してください。',
  },

  refusals: {
    not_requester: (who) =>
      `この操作ができるのは、依頼した人${who === undefined ? '' : `（${who} さん）`}だけです。何も変更していません。`,
    not_asked: (who) =>
      `${who === undefined ? 'この質問はほかの人に宛てたものです' : `この質問に回答できるのは ${who} さんだけです`}。何も変更していません。`,
    not_participant: 'この操作ができるのは、このスレッドに投稿した人だけです。何も変更していません。',
    guest: 'このワークスペースのゲストは、ここでは利用できません。何も変更していません。',
    external: '他のオーガナイゼーションのメンバーは、ここでは利用できません。何も変更していません。',
    unknown_person:
      'Slack であなたの情報を確認できなかったため、何も変更していません。しばらくしてからもう一度お試しください。',
    user_not_listed:
      '利用を許可されたメンバーに含まれていません。何も変更していません。このボットの管理者にお問い合わせください。',
    channel_not_listed:
      'このチャンネルでは利用できません。何も変更していません。このボットの管理者にお問い合わせください。',
  },

  problems: {
    unreadable: '回答を読み取れませんでした。もう一度お試しください。',
    blank: '回答が空です。何か入力してください。',
    part_blank: '回答の 1 つが空です。',
    no_such_option: 'この質問にその選択肢はありません。',
    too_many: '選択肢を 1 つだけ選択してください。',
    options_only: 'この質問には、選択肢からのみ回答できます。いずれかを選択してください。',
    nothing_picked: (several) => (several ? '選択肢を 1 つ以上選択してください。' : '選択肢を 1 つ選択してください。'),
    ambiguous: (text) => `「${text}」に当てはまる選択肢が複数あります。いずれか 1 つを選択してください。`,
    not_options: (texts) => `選択肢にありません：${texts}。`,
    too_long: (characters) => `回答が長すぎます（最大 ${characters} 文字）。`,
  },

  working: 'が作業しています…',
};
