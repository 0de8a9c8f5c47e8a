import { formatsOf } from './formats.ts';
import type { TypedReply, Words } from './words.ts';

const { formats, plural } = formatsOf('de');

const by = (who?: string) => (who === undefined ? '' : ` von ${who}`);
const nothingChanged = 'Es wurde nichts geändert.';

function reply(reply: TypedReply): string {
  if (reply.as === 'text') return 'mit deiner Antwort';
  const choice = {
    label: 'mit dem Wortlaut einer Option',
    number: 'mit der Nummer einer Option',
    numbers: 'mit den Nummern deiner Optionen (zum Beispiel 1, 2)',
  }[reply.as];
  return reply.orText ? `${choice} oder in eigenen Worten` : choice;
}

export const de: Words = {
  ...formats,
  moment: '{date_short_pretty} um {time}',
  colon: ': ',

  card: {
    question: 'Frage',
    questionFor: (who) => `Frage an ${who}`,
    askedBy: (who) => `gestellt von ${who}`,
    place: (position, of) => `${position} von ${of}`,
    answer: { text: 'Antworten…', label: 'Antworten… in einem Formular' },
    other: { text: 'Andere…', label: 'Andere… Antwort in eigenen Worten' },
    skip: { text: 'Überspringen', label: 'Überspringen: diese Frage nicht beantworten' },
    withdraw: { text: 'Zurückziehen', label: 'Zurückziehen: nur für die Person, die fragt' },
    submit: { text: 'Senden', label: 'Senden: ausgewählte Optionen' },
    pickOne: 'Option auswählen',
    pickSome: 'Optionen auswählen',
    pickAll: 'Alles Zutreffende auswählen, dann senden',
    alsoByReply: (how) => `Du kannst auch in diesem Thread ${reply(how)} antworten.`,
    onlyByReply: (how, who) =>
      `Bitte antworte in diesem Thread ${reply(how)}. ${who === undefined ? 'Um die ganze Aufgabe zu beenden, antworte `stop`.' : `${who} kann mit der Antwort \`stop\` die ganze Aufgabe beenden und damit auch diese Frage zurückziehen.`}`,
  },

  receipt: {
    answered: (who) => `Beantwortet${by(who)}`,
    skipped: (who) => `Übersprungen${by(who)}`,
    superseded: (who) => `Nicht beantwortet; ${who ?? 'eine Nachricht'} hat die Richtung geändert`,
    expired: (after) => `Keine Antwort innerhalb der Frist (${after})`,
    cancelled: (who) => `Abgebrochen${by(who)}`,
    failed: 'Konnte nicht abgeschlossen werden',
  },

  modal: {
    answer: 'Deine Antwort',
    otherAnswer: 'Andere Antwort',
    settled: 'Frage schon erledigt',
    answerField: 'Deine Antwort',
    send: 'Senden',
    cancel: 'Abbrechen',
    close: 'Schließen',
    blank:
      'Schreib deine Antwort hierhin. Wenn du die Frage nicht beantworten möchtest, schließe das Formular und klicke auf „Überspringen“.',
  },

  form: {
    title: 'Deine Antworten',
    changeTitle: 'Antwort ändern',
    mayStayEmpty: 'Was du leer lässt, bleibt offen und kann später beantwortet werden.',
    ownWords: 'In eigenen Worten, oder eine Anmerkung zu deiner Auswahl',
    answerAll: { text: 'Alle beantworten…', label: 'Alle beantworten… in einem Formular' },
    change: { text: 'Ändern…', label: 'Ändern… (nur wer geantwortet hat)' },
    nothing: 'Beantworte mindestens eine der Fragen, oder schließe das Formular.',
    neither:
      'Wähle eine Option oder schreib deine Antwort. Wenn du die Frage nicht beantworten möchtest, schließe das Formular und klicke auf „Überspringen“.',
    settledMeanwhile: 'Deine anderen Antworten sind gespeichert. Das hier war erledigt, bevor deine ankam:',
  },

  about: {
    title: 'Zu dieser Nachricht',
    field: 'Deine Frage oder was zu tun ist',
    hint: 'Ich antworte im Thread der Nachricht, wo alle es lesen können.',
    placeholder: 'Was bedeutet das für uns?',
    notThere: (bot) =>
      `Ich bin nicht in dieser Unterhaltung und kann dort weder lesen noch antworten. Lade ${bot} in den Channel ein und versuch es noch einmal. Direktnachrichten zwischen anderen kann ich nicht beitreten.`,
  },

  home: {
    title: { waiting: 'Wartet auf dich', asked: 'Deine Aufgaben an mich' },
    nothingWaits:
      'Nichts wartet auf dich. Um mir eine Aufgabe zu geben, erwähne mich in einem Channel oder schreib mir auf dem Tab „Nachrichten“.',
    working: 'Ich arbeite daran',
    asking: (questions) =>
      plural(questions, { one: 'Wartet auf eine Antwort', other: `Wartet auf ${questions} Antworten` }),
    failed: 'Durch ein Problem angehalten; du kannst es erneut versuchen',
    openThread: 'Thread öffnen',
    directMessage: 'Direktnachricht',
    stop: { text: 'Anhalten', label: 'Anhalten, was ich dort tue' },
    stopConfirm: {
      title: 'Wirklich anhalten?',
      text: 'Ich beende, was ich in diesem Thread tue, und die offenen Fragen dort werden abgebrochen.',
      confirm: 'Anhalten',
      deny: 'Weitermachen',
    },
    previous: { text: 'Zurück', label: 'Zurück: vorherige Seite' },
    next: { text: 'Weiter', label: 'Weiter: nächste Seite' },
    page: (page, of) => `Seite ${page} von ${of}`,
  },

  post: {
    emptyReply: '_Erledigt; der Agent hat nichts hinzuzufügen._',
    stopped: (who) => (who === undefined ? 'Angehalten.' : `Von ${who} angehalten.`),
    reminder: (who, question) => `${who}, hier ist noch eine Frage offen: ${question}`,
    invitation: (who) => `${who} hat eine Frage an dich:`,
    retry: { text: 'Erneut versuchen', label: 'Erneut versuchen: dort weitermachen, wo es aufgehört hat' },
    retried: 'Es wurde erneut versucht.',
    asked: (who) => `${who} fragt zu einer Nachricht in diesem Thread:`,
    feedback: {
      good: { text: 'Gut', label: 'Gut: gute Antwort' },
      bad: { text: 'Schlecht', label: 'Schlecht: schlechte Antwort' },
    },
    help: [
      'Gib mir eine Aufgabe: Erwähne mich in einem Channel oder schick mir eine Direktnachricht. Ich arbeite in einem Thread daran und antworte dort.',
      'Bilder und Textdateien, die du anhängst, lese ich mit. Um nach einer Nachricht zu fragen, die schon da ist, wähle in ihrem Menü „Ask about this message“.',
      'Wenn etwas unklar ist oder du entscheiden musst, frage ich dich im Thread, statt zu raten, und warte, solange es nötig ist.',
      'Soll ich jemand anderen fragen, erwähne die Person: „Frag @Tomas, ob wir ausliefern dürfen“. Ich stelle ihr die Frage, und nur sie kann antworten.',
      'Antworte mit den Buttons oder schriftlich: mit einer Option, ihrer Nummer oder, wo es möglich ist, in eigenen Worten. Mit „Überspringen“ mache ich ohne Antwort weiter.',
      'Damit ich aufhöre, antworte im Thread `stop`.',
    ],
  },

  prompts: {
    title: 'Was soll ich tun?',
    offered: [
      { title: 'Wie arbeitest du?', message: 'help' },
      { title: 'Etwas mit mir planen', message: 'Hilf mir, etwas zu planen. Frag mich, was du dafür wissen musst.' },
      {
        title: 'Etwas für mich schreiben',
        message: 'Hilf mir, etwas zu schreiben. Frag mich, für wen es ist und was darin stehen soll.',
      },
      {
        title: 'Mir beim Entscheiden helfen',
        message: 'Hilf mir, mich zwischen mehreren Möglichkeiten zu entscheiden. Frag mich danach.',
      },
    ],
  },

  failures: {
    rate_limited: 'Das Modell bekommt im Moment zu viele Anfragen. Versuch es in einer Minute noch einmal.',
    quota: 'Das Konto des Modells hat kein Guthaben mehr. Wer diesen Bot betreibt, muss die Abrechnung prüfen.',
    auth: 'Das Modell akzeptiert den hinterlegten Schlüssel nicht. Wer diesen Bot betreibt, muss OPENAI_API_KEY prüfen.',
    not_found:
      'Unter dieser Adresse gibt es das Modell nicht. Wer diesen Bot betreibt, muss OPENAI_MODEL und OPENAI_BASE_URL prüfen.',
    context_too_long:
      'Diese Unterhaltung ist für das Modell zu lang geworden. Beginne einen neuen Thread und nenne dort das Wichtigste aus diesem.',
    bad_request: 'Das Modell hat die Anfrage nicht angenommen. Warum, steht im Log; ein neuer Thread kann helfen.',
    refused: 'Der Inhaltsfilter des Modells hat die Antwort zurückgehalten. Versuch es mit anderen Worten.',
    empty: 'Das Modell hat eine leere Antwort gegeben. Versuch es noch einmal.',
    bad_response: 'Das Modell hat eine unlesbare Antwort gegeben. Versuch es noch einmal.',
    server: 'Das Modell hat im Moment selbst ein Problem. Versuch es in einer Minute noch einmal.',
    network: 'Die Verbindung zum Modell ist fehlgeschlagen. Versuch es in einer Minute noch einmal.',
    timeout: 'Das Modell hat nicht rechtzeitig geantwortet. Versuch es noch einmal.',
    store:
      'Die Aufgabe konnte nicht gespeichert oder gelesen werden. Keine Antwort ist verloren; versuch es noch einmal.',
    internal: 'Im Agenten ist etwas schiefgegangen.',
    answers_not_taken: 'Der Agent hat die Antworten nicht angenommen.',
    run_lost:
      'Ich weiß nicht mehr, wo ich hier stehen geblieben war, und kann die Antworten nicht verwenden. Bitte frag noch einmal.',
    interrupted: 'Ich wurde dabei mehrmals unterbrochen und habe aufgegeben. Bitte frag noch einmal.',
    reply_refused: 'Ein Teil meiner Antwort wurde von Slack abgelehnt und fehlt hier.',
  },

  whisper: {
    keptForLater(open, requester) {
      const what = plural(open, {
        one: 'oben ist noch eine Frage offen',
        other: `oben sind noch ${open} Fragen offen`,
      });
      const whom = requester === undefined ? '' : ` (gefragt: ${requester})`;
      return `Notiert, aber nicht als Antwort. Ich lese deine Nachricht, sobald ich weitermache: ${what}${whom}.`;
    },
    alreadySettled: (ending) => `Diese Frage ist schon erledigt. ${ending}.`,
    severalWait:
      'Auf dich warten mehrere Fragen, daher weiß ich nicht, welche du meinst. Bitte antworte im Thread der Nachricht mit der Frage oder auf meinem Home-Tab.',
    unreadable:
      'Ich kann nicht mehr lesen, was ich über diesen Thread wusste, deshalb hat sich nichts geändert. Bitte beginne einen neuen Thread; wer mich betreibt, findet den Grund in meinem Log.',
    notSaved:
      'Das konnte ich nicht rechtzeitig speichern. Versuch es gleich noch einmal; falls es doch geklappt hat, zeigt es die Karte.',
    unknownQuestion:
      'Diese Frage kenne ich nicht (mehr), daher wurde nichts geändert. Erwähne mich, um neu zu beginnen.',
    nothingToStop: 'Hier läuft nichts, also gibt es nichts anzuhalten.',
    nothingToRetry: 'Hier gibt es nichts mehr, was ich erneut versuchen könnte.',
    feedbackNoted: {
      good: 'Danke, notiert.',
      bad: 'Danke, notiert. Damit ich es besser mache, erwähne mich hier und sag, was nicht gestimmt hat.',
    },
    feedbackUnknown: 'Ich kenne diese Antwort nicht mehr und habe nichts notiert.',
    notArrived: 'Deine Auswahl ist nicht angekommen. Bitte wähle noch einmal.',
    formLate: 'Das Formular hat zu lange gebraucht. Bitte klicke noch einmal.',
    formRefused:
      'Das Formular konnte nicht geöffnet werden. Klicke noch einmal oder schreib deine Antwort in diesen Thread.',
  },

  refusals: {
    not_requester: (who) =>
      `Das darf nur die Person, die das hier gestartet hat${who === undefined ? '' : ` (${who})`}. ${nothingChanged}`,
    not_asked: (who) =>
      `${who === undefined ? 'Diese Frage ist an jemand anderen gerichtet' : `Diese Frage können nur diese Personen beantworten: ${who}`}. ${nothingChanged}`,
    not_participant: `Das dürfen nur Personen, die in diesem Thread geschrieben haben. ${nothingChanged}`,
    guest: `Gäste dieses Workspace dürfen mich hier nicht benutzen. ${nothingChanged}`,
    external: `Personen anderer Organisationen dürfen mich hier nicht benutzen. ${nothingChanged}`,
    unknown_person: `Slack konnte mir nicht sagen, wer du bist. ${nothingChanged} Versuch es gleich noch einmal.`,
    user_not_listed: `Du gehörst nicht zu den Personen, die mich benutzen dürfen. ${nothingChanged} Frag, wer diesen Bot betreibt.`,
    channel_not_listed: `In diesem Channel darf ich nicht arbeiten. ${nothingChanged} Frag, wer diesen Bot betreibt.`,
  },

  problems: {
    unreadable: 'Diese Antwort kann ich nicht lesen. Versuch es noch einmal.',
    blank: 'Die Antwort ist leer. Bitte schreib etwas.',
    part_blank: 'Eine der Antworten ist leer.',
    no_such_option: 'Diese Option hat die Frage nicht.',
    too_many: 'Wähle genau eine Option aus.',
    options_only: 'Bei dieser Frage zählen nur ihre Optionen. Wähle daraus aus.',
    nothing_picked: (several) => (several ? 'Wähle mindestens eine Option aus.' : 'Wähle eine Option aus.'),
    ambiguous: (text) => `„${text}“ passt auf mehrere Optionen. Wähle eine davon aus.`,
    not_options: (texts) => `Gehört nicht zu den Optionen: ${texts}.`,
    too_long: (characters) => `Die Antwort ist zu lang: höchstens ${characters} Zeichen.`,
  },

  working: 'arbeitet…',
};
