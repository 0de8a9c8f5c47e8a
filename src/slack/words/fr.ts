import { formatsOf } from './formats.ts';
import type { TypedReply, Words } from './words.ts';

const { formats, plural } = formatsOf('fr');

const nothingChanged = 'Rien n’a été modifié.';

function reply(reply: TypedReply): string {
  if (reply.as === 'text') return 'avec votre réponse';
  const choice = {
    label: 'avec le texte d’une option',
    number: 'avec le numéro d’une option',
    numbers: 'avec les numéros de vos choix (par exemple : 1, 2)',
  }[reply.as];
  return reply.orText ? `${choice}, ou avec vos propres mots` : choice;
}

export const fr: Words = {
  ...formats,
  moment: '{date_short_pretty} à {time}',
  colon: ' : ',

  card: {
    question: 'Question',
    questionFor: (who) => `Question pour ${who}`,
    askedBy: (who) => `posée par ${who}`,
    place: (position, of) => `${position} sur ${of}`,
    answer: { text: 'Répondre…', label: 'Répondre… dans un formulaire' },
    other: { text: 'Autre…', label: 'Autre… réponse, avec vos propres mots' },
    skip: { text: 'Passer', label: 'Passer cette question' },
    withdraw: { text: 'Retirer', label: 'Retirer cette question : réservé à qui la pose' },
    submit: { text: 'Envoyer', label: 'Envoyer votre sélection' },
    pickOne: 'Choisissez une option',
    pickSome: 'Choisissez une ou plusieurs options',
    pickAll: 'Choisissez tout ce qui convient, puis envoyez',
    alsoByReply: (how) => `Vous pouvez aussi répondre dans ce fil ${reply(how)}.`,
    onlyByReply: (how, who) =>
      `Veuillez répondre dans ce fil ${reply(how)}. ${who === undefined ? 'Pour mettre fin à toute la tâche, répondez `stop`.' : `${who} peut répondre \`stop\` pour mettre fin à toute la tâche et retirer ainsi cette question.`}`,
  },

  receipt: {
    answered: (who) => (who === undefined ? 'Réponse donnée' : `Réponse de ${who}`),
    skipped: (who) => (who === undefined ? 'Question passée' : `Question passée par ${who}`),
    superseded: (who) =>
      who === undefined ? 'Sans réponse ; un message a changé la donne' : `Sans réponse ; ${who} a changé de cap`,
    expired: (after) => `Aucune réponse en ${after}`,
    cancelled: (who) => (who === undefined ? 'Question annulée' : `Question annulée par ${who}`),
    failed: 'N’a pas pu aboutir',
  },

  modal: {
    answer: 'Votre réponse',
    otherAnswer: 'Autre réponse',
    settled: 'Question déjà close',
    answerField: 'Votre réponse',
    send: 'Envoyer',
    cancel: 'Annuler',
    close: 'Fermer',
    blank:
      'Saisissez votre réponse ici. Pour laisser la question sans réponse, fermez ce formulaire et cliquez sur « Passer ».',
  },

  form: {
    title: 'Vos réponses',
    changeTitle: 'Modifier la réponse',
    mayStayEmpty: 'Ce que vous laissez vide reste ouvert : vous pourrez y répondre plus tard.',
    ownWords: 'Avec vos propres mots, ou une remarque sur votre choix',
    answerAll: { text: 'Répondre à tout…', label: 'Répondre à tout… dans un seul formulaire' },
    change: { text: 'Modifier…', label: 'Modifier… la réponse (pour qui l’a donnée)' },
    nothing: 'Répondez à au moins une des questions, ou fermez ce formulaire.',
    neither:
      'Choisissez une option ou saisissez votre réponse. Pour laisser la question sans réponse, fermez ce formulaire et cliquez sur « Passer ».',
    settledMeanwhile: 'Vos autres réponses sont enregistrées. Ceci était déjà clos quand votre réponse est arrivée :',
  },

  about: {
    title: 'À propos de ce message',
    field: 'Votre question, ou ce qu’il faut faire',
    hint: 'Je réponds dans le fil du message, où tout le monde peut lire.',
    placeholder: 'Qu’est-ce que cela signifie pour nous ?',
    notThere: (bot) =>
      `Je ne suis pas dans cette conversation, je ne peux donc ni y lire ni y répondre. Invitez ${bot} dans le canal et réessayez. Je ne peux pas rejoindre un message direct entre d’autres personnes.`,
  },

  home: {
    title: { waiting: 'En attente de votre réponse', asked: 'Vos demandes' },
    nothingWaits:
      'Rien ne vous attend. Pour me confier une tâche, mentionnez-moi dans un canal ou écrivez-moi dans l’onglet Messages.',
    working: 'J’y travaille',
    asking: (questions) =>
      plural(questions, { one: 'En attente d’une réponse', other: `En attente de ${questions} réponses` }),
    failed: 'Arrêté par un problème ; vous pouvez réessayer',
    openThread: 'Ouvrir le fil',
    directMessage: 'Message direct',
    stop: { text: 'Arrêter', label: 'Arrêter cette tâche' },
    stopConfirm: {
      title: 'Arrêter cette tâche ?',
      text: 'Je mets fin à ce que je fais dans ce fil, et les questions en attente y sont annulées.',
      confirm: 'Arrêter',
      deny: 'Continuer',
    },
    previous: { text: 'Précédent', label: 'Précédent : page d’avant' },
    next: { text: 'Suivant', label: 'Suivant : page d’après' },
    page: (page, of) => `Page ${page} sur ${of}`,
  },

  post: {
    emptyReply: '_C’est fait ; l’agent n’a rien à ajouter._',
    stopped: (who) => (who === undefined ? 'Tâche arrêtée.' : `Tâche arrêtée par ${who}.`),
    reminder: (who, question) => `${who}, une question attend toujours votre réponse ici : ${question}`,
    invitation: (who) => `${who} a une question pour vous :`,
    retry: { text: 'Réessayer', label: 'Réessayer : reprendre là où cela s’est arrêté' },
    retried: 'Une nouvelle tentative a été lancée.',
    asked: (who) => `${who} pose une question sur un message de ce fil :`,
    feedback: { good: { text: 'Bonne', label: 'Bonne réponse' }, bad: { text: 'Mauvaise', label: 'Mauvaise réponse' } },
    help: [
      'Confiez-moi une tâche : mentionnez-moi dans un canal ou envoyez-moi un message direct. J’y travaille dans un fil de discussion, et j’y réponds.',
      'Je lis les images et les fichiers texte que vous joignez. Pour poser une question sur un message existant, choisissez « Ask about this message » dans son menu.',
      'Si quelque chose n’est pas clair, ou si la décision vous revient, je vous le demande dans le fil au lieu de deviner, et j’attends aussi longtemps qu’il le faut.',
      'Pour que j’interroge quelqu’un d’autre, mentionnez cette personne : « demande à @Tomas si nous pouvons livrer ». Je lui pose la question, et elle seule peut y répondre.',
      'Répondez avec les boutons, ou par écrit : une option, son numéro ou vos propres mots lorsque c’est possible. Avec « Passer », je continue sans réponse.',
      'Pour m’arrêter, répondez `stop` dans le fil.',
    ],
  },

  prompts: {
    title: 'Que dois-je faire ?',
    offered: [
      { title: 'Comment travaillez-vous ?', message: 'help' },
      {
        title: 'Planifier quelque chose avec moi',
        message: 'Aidez-moi à planifier quelque chose. Demandez-moi ce que vous devez savoir.',
      },
      {
        title: 'Écrire quelque chose pour moi',
        message: 'Aidez-moi à écrire quelque chose. Demandez-moi à qui c’est destiné et ce que cela doit dire.',
      },
      {
        title: 'M’aider à décider',
        message: 'Aidez-moi à choisir entre plusieurs options. Interrogez-moi à leur sujet.',
      },
    ],
  },

  failures: {
    rate_limited: 'Le modèle reçoit trop de demandes pour le moment. Réessayez dans une minute.',
    quota: 'Le compte du modèle n’a plus de crédit. La personne qui gère ce bot doit vérifier la facturation.',
    auth: 'Le modèle n’accepte pas la clé fournie. La personne qui gère ce bot doit vérifier OPENAI_API_KEY.',
    not_found:
      'Ce modèle n’existe pas à cette adresse. La personne qui gère ce bot doit vérifier OPENAI_MODEL et OPENAI_BASE_URL.',
    context_too_long:
      'Cette conversation est devenue trop longue pour le modèle. Ouvrez un nouveau fil et rappelez-y l’essentiel de celui-ci.',
    bad_request: 'Le modèle n’a pas accepté la demande. Le journal indique pourquoi ; un nouveau fil peut aider.',
    refused: 'Le filtre de contenu du modèle a retenu la réponse. Essayez de formuler autrement.',
    empty: 'Le modèle a donné une réponse vide. Réessayez.',
    bad_response: 'Le modèle a donné une réponse illisible. Réessayez.',
    server: 'Le modèle rencontre un problème en ce moment. Réessayez dans une minute.',
    network: 'La connexion au modèle a échoué. Réessayez dans une minute.',
    timeout: 'Le modèle n’a pas répondu à temps. Réessayez.',
    store: 'La tâche n’a pas pu être enregistrée ou lue. Aucune réponse n’est perdue ; réessayez.',
    internal: 'Un problème est survenu dans l’agent.',
    answers_not_taken: 'L’agent n’a pas pris en compte les réponses données.',
    run_lost:
      'J’ai perdu le fil de ce que je faisais ici et je ne peux pas utiliser les réponses. Refaites votre demande.',
    interrupted: 'J’ai été interrompu plusieurs fois pendant ce travail et j’ai abandonné. Refaites votre demande.',
    reply_refused: 'Une partie de ma réponse a été refusée par Slack et manque ici.',
  },

  whisper: {
    keptForLater(open, requester) {
      const what = plural(open, {
        one: 'une question attend encore une réponse ci-dessus',
        other: `${open} questions attendent encore une réponse ci-dessus`,
      });
      const whom = requester === undefined ? '' : ` (c’est à ${requester} de répondre)`;
      return `C’est noté, mais pas comme une réponse. Je lirai votre message dès que je reprendrai : ${what}${whom}.`;
    },
    alreadySettled: (ending) => `Cette question est déjà close. ${ending}.`,
    severalWait:
      'Plusieurs questions vous attendent ; je ne sais donc pas à laquelle vous répondez. Répondez dans le fil du message qui pose la question, ou dans mon onglet Accueil.',
    unreadable:
      'Je n’arrive plus à lire ce que je savais de ce fil, donc rien n’a changé. Commencez un nouveau fil ; la personne qui m’administre trouvera la raison dans mon journal.',
    notSaved:
      'Je n’ai pas pu enregistrer cela à temps. Réessayez dans un instant ; si cela a finalement fonctionné, la carte l’affichera.',
    unknownQuestion:
      'Je ne connais pas cette question (ou elle n’existe plus) ; rien n’a été modifié. Mentionnez-moi pour recommencer.',
    nothingToStop: 'Aucune tâche n’est en cours ici ; il n’y a rien à arrêter.',
    nothingToRetry: 'Il n’y a plus rien à réessayer.',
    feedbackNoted: {
      good: 'Merci, c’est noté.',
      bad: 'Merci, c’est noté. Pour que je fasse mieux, mentionnez-moi ici et dites ce qui n’allait pas.',
    },
    feedbackUnknown: 'Je ne connais plus cette réponse, je n’ai donc rien noté.',
    notArrived: 'Votre sélection n’est pas arrivée. Veuillez choisir à nouveau.',
    formLate: 'Le formulaire a mis trop de temps à s’ouvrir. Veuillez cliquer à nouveau.',
    formRefused: 'Le formulaire n’a pas pu s’ouvrir. Cliquez à nouveau, ou écrivez votre réponse dans ce fil.',
  },

  refusals: {
    not_requester: (who) =>
      `Seule la personne à l’origine de la demande${who === undefined ? '' : ` (${who})`} peut faire cela. ${nothingChanged}`,
    not_asked: (who) =>
      `${who === undefined ? 'Cette question s’adresse à quelqu’un d’autre' : `Cette question s’adresse uniquement à ${who}`}. ${nothingChanged}`,
    not_participant: `Seules les personnes qui ont écrit dans ce fil peuvent faire cela. ${nothingChanged}`,
    guest: `Les invités de cet espace de travail ne peuvent pas m’utiliser ici. ${nothingChanged}`,
    external: `Les personnes d’autres organisations ne peuvent pas m’utiliser ici. ${nothingChanged}`,
    unknown_person: `Slack n’a pas pu me dire qui vous êtes. ${nothingChanged} Réessayez dans un instant.`,
    user_not_listed: `Vous ne faites pas partie des personnes qui peuvent m’utiliser. ${nothingChanged} Adressez-vous à la personne qui gère ce bot.`,
    channel_not_listed: `Je ne peux pas travailler dans ce canal. ${nothingChanged} Adressez-vous à la personne qui gère ce bot.`,
  },

  problems: {
    unreadable: 'Je ne peux pas lire cette réponse. Réessayez.',
    blank: 'La réponse est vide. Veuillez écrire quelque chose.',
    part_blank: 'L’une des réponses est vide.',
    no_such_option: 'Cette question n’a pas cette option.',
    too_many: 'Choisissez une seule option.',
    options_only: 'Cette question n’accepte que ses options. Choisissez parmi elles.',
    nothing_picked: (several) => (several ? 'Choisissez au moins une option.' : 'Choisissez une option.'),
    ambiguous: (text) => `« ${text} » correspond à plusieurs options. Choisissez l’une d’elles.`,
    not_options: (texts) => `Ne figure pas parmi les options : ${texts}.`,
    too_long: (characters) => `La réponse est trop longue : ${characters} caractères au maximum.`,
  },

  working: 'travaille…',
};
