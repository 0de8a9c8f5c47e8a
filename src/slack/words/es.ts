import { formatsOf } from './formats.ts';
import type { TypedReply, Words } from './words.ts';

const { formats, plural } = formatsOf('es');

const nothingChanged = 'No se ha cambiado nada.';

function reply(reply: TypedReply): string {
  if (reply.as === 'text') return 'tu respuesta';
  const choice = {
    label: 'el texto de una opción',
    number: 'el número de una opción',
    numbers: 'los números de tus opciones (por ejemplo: 1, 2)',
  }[reply.as];
  return reply.orText ? `${choice} o con tus propias palabras` : choice;
}

export const es: Words = {
  ...formats,
  moment: '{date_short_pretty}, {time}',
  colon: ': ',

  card: {
    question: 'Pregunta',
    questionFor: (who) => `Pregunta para ${who}`,
    askedBy: (who) => `de parte de ${who}`,
    place: (position, of) => `${position} de ${of}`,
    answer: { text: 'Responder…', label: 'Responder… en un formulario' },
    other: { text: 'Otra…', label: 'Otra… respuesta con tus propias palabras' },
    skip: { text: 'Omitir', label: 'Omitir esta pregunta' },
    withdraw: { text: 'Retirar', label: 'Retirar esta pregunta: solo quien la hizo' },
    submit: { text: 'Enviar', label: 'Enviar lo que has elegido' },
    pickOne: 'Elige una opción',
    pickSome: 'Elige una o varias opciones',
    pickAll: 'Elige todas las que correspondan y envía',
    alsoByReply: (how) => `También puedes responder en este hilo con ${reply(how)}.`,
    onlyByReply: (how, who) =>
      `Responde en este hilo con ${reply(how)}. ${who === undefined ? 'Para terminar toda la tarea, responde `stop`.' : `${who} puede responder \`stop\` para terminar toda la tarea y retirar con ella esta pregunta.`}`,
  },

  receipt: {
    answered: (who) => (who === undefined ? 'Respondida' : `Respondida por ${who}`),
    skipped: (who) => (who === undefined ? 'Omitida' : `Omitida por ${who}`),
    superseded: (who) => `Sin responder; ${who ?? 'un mensaje'} cambió de rumbo`,
    expired: (after) => `Nadie respondió en ${after}`,
    cancelled: (who) => (who === undefined ? 'Cancelada' : `Cancelada por ${who}`),
    failed: 'No se pudo completar',
  },

  modal: {
    answer: 'Tu respuesta',
    otherAnswer: 'Otra respuesta',
    settled: 'Pregunta ya cerrada',
    answerField: 'Tu respuesta',
    send: 'Enviar',
    cancel: 'Cancelar',
    close: 'Cerrar',
    blank: 'Escribe aquí tu respuesta. Si prefieres no responder, cierra este formulario y pulsa «Omitir».',
  },

  form: {
    title: 'Tus respuestas',
    changeTitle: 'Cambiar tu respuesta',
    mayStayEmpty: 'Lo que dejes en blanco queda pendiente y puedes responderlo más tarde.',
    ownWords: 'Con tus propias palabras, o un comentario a tu elección',
    answerAll: { text: 'Responder todo…', label: 'Responder todo… lo pendiente en un formulario' },
    change: { text: 'Cambiar…', label: 'Cambiar… la respuesta (solo quien la dio)' },
    nothing: 'Responde al menos a una de las preguntas o cierra este formulario.',
    neither:
      'Elige una opción o escribe tu respuesta. Si prefieres no responder, cierra este formulario y pulsa «Omitir».',
    settledMeanwhile: 'Tus demás respuestas están guardadas. Esto se cerró antes de que llegara la tuya:',
  },

  about: {
    title: 'Sobre este mensaje',
    field: 'Tu pregunta, o qué hay que hacer',
    hint: 'Respondo en el hilo del mensaje, donde todos pueden leerlo.',
    placeholder: '¿Qué significa esto para nosotros?',
    notThere: (bot) =>
      `No estoy en esta conversación, así que no puedo leerla ni responder en ella. Invita a ${bot} al canal e inténtalo de nuevo. No puedo unirme a un mensaje directo entre otras personas.`,
  },

  home: {
    title: { waiting: 'Esperan tu respuesta', asked: 'Lo que has pedido' },
    nothingWaits:
      'No hay nada pendiente. Para encargarme una tarea, mencióname en un canal o escríbeme en la pestaña Mensajes.',
    working: 'Estoy en ello',
    asking: (questions) =>
      plural(questions, { one: 'A la espera de una respuesta', other: `A la espera de ${questions} respuestas` }),
    failed: 'Detenida por un problema; puedes reintentarlo',
    openThread: 'Abrir el hilo',
    directMessage: 'Mensaje directo',
    stop: { text: 'Detener', label: 'Detener esta tarea' },
    stopConfirm: {
      title: '¿Detener esta tarea?',
      text: 'Dejo lo que estoy haciendo en ese hilo y se cancelan sus preguntas pendientes.',
      confirm: 'Detener',
      deny: 'Continuar',
    },
    previous: { text: 'Anterior', label: 'Anterior: página previa' },
    next: { text: 'Siguiente', label: 'Siguiente página' },
    page: (page, of) => `Página ${page} de ${of}`,
  },

  post: {
    emptyReply: '_Listo. No hay nada más que añadir._',
    stopped: (who) => (who === undefined ? 'Tarea detenida.' : `Tarea detenida por ${who}.`),
    reminder: (who, question) => `${who}, aquí hay una pregunta que sigue sin respuesta: ${question}`,
    invitation: (who) => `${who} tiene una pregunta para ti:`,
    retry: { text: 'Reintentar', label: 'Reintentar: continuar desde donde se detuvo' },
    retried: 'Se ha vuelto a intentar.',
    asked: (who) => `${who} pregunta por un mensaje de este hilo:`,
    feedback: { good: { text: 'Buena', label: 'Buena respuesta' }, bad: { text: 'Mala', label: 'Mala respuesta' } },
    help: [
      'Encárgame una tarea: mencióname en un canal o envíame un mensaje directo. Trabajo en un hilo y respondo allí mismo.',
      'Leo las imágenes y los archivos de texto que adjuntes. Para preguntar por un mensaje que ya existe, elige «Ask about this message» en su menú.',
      'Si algo no está claro o la decisión es tuya, te pregunto en el hilo en lugar de adivinar, y espero el tiempo que haga falta.',
      'Para que pregunte a otra persona, menciónala: «pregunta a @Tomas si podemos publicar». Le hago la pregunta, y solo ella puede responder.',
      'Responde con los botones o por escrito: una opción, su número o tus propias palabras cuando se admiten. Con «Omitir» sigo adelante sin respuesta.',
      'Para que me detenga, responde `stop` en el hilo.',
    ],
  },

  prompts: {
    title: '¿Qué quieres que haga?',
    offered: [
      { title: '¿Cómo trabajas?', message: 'help' },
      { title: 'Planificar algo conmigo', message: 'Ayúdame a planificar algo. Pregúntame lo que necesites saber.' },
      {
        title: 'Escribir algo para mí',
        message: 'Ayúdame a escribir algo. Pregúntame para quién es y qué debe decir.',
      },
      { title: 'Ayudarme a decidir', message: 'Ayúdame a decidir entre varias opciones. Pregúntame por ellas.' },
    ],
  },

  failures: {
    rate_limited: 'El modelo recibe demasiadas solicitudes en este momento. Inténtalo de nuevo en un minuto.',
    quota: 'La cuenta del modelo se ha quedado sin saldo. Quien administra este bot tiene que revisar la facturación.',
    auth: 'El modelo no acepta la clave que tiene. Quien administra este bot tiene que revisar OPENAI_API_KEY.',
    not_found:
      'No existe ese modelo en esta dirección. Quien administra este bot tiene que revisar OPENAI_MODEL y OPENAI_BASE_URL.',
    context_too_long:
      'Esta conversación es ya demasiado larga para el modelo. Abre un hilo nuevo y cuenta allí lo importante de este.',
    bad_request: 'El modelo no aceptó la solicitud. El registro indica por qué; un hilo nuevo puede ayudar.',
    refused: 'El filtro de contenido del modelo retuvo la respuesta. Prueba a decirlo de otra manera.',
    empty: 'El modelo dio una respuesta vacía. Inténtalo de nuevo.',
    bad_response: 'El modelo dio una respuesta que no se puede leer. Inténtalo de nuevo.',
    server: 'El modelo tiene un problema en este momento. Inténtalo de nuevo en un minuto.',
    network: 'Falló la conexión con el modelo. Inténtalo de nuevo en un minuto.',
    timeout: 'El modelo no respondió a tiempo. Inténtalo de nuevo.',
    store: 'No se pudo guardar o leer la tarea. No se ha perdido ninguna respuesta; inténtalo de nuevo.',
    internal: 'Algo ha fallado dentro del agente.',
    answers_not_taken: 'El agente no aceptó las respuestas que recibió.',
    run_lost: 'He perdido el hilo de lo que estaba haciendo y no puedo usar las respuestas. Pídemelo otra vez.',
    interrupted: 'Me he interrumpido varias veces mientras trabajaba en esto y lo he dejado. Pídemelo otra vez.',
    reply_refused: 'Slack rechazó una parte de mi respuesta, que falta aquí.',
  },

  whisper: {
    keptForLater(open, requester) {
      const what = plural(open, {
        one: 'arriba queda una pregunta sin responder',
        other: `arriba quedan ${open} preguntas sin responder`,
      });
      const whom = requester === undefined ? '' : ` (le toca a ${requester})`;
      return `Recibido, pero no como respuesta. Leeré tu mensaje en cuanto continúe: ${what}${whom}.`;
    },
    alreadySettled: (ending) => `Esa pregunta ya está cerrada. ${ending}.`,
    severalWait:
      'Hay más de una pregunta esperándote, así que no sé a cuál te refieres. Responde en el hilo del mensaje que pregunta o en mi pestaña Inicio.',
    unreadable:
      'Ya no puedo leer lo que sabía de este hilo, así que no ha cambiado nada. Empieza un hilo nuevo; quien me administra encontrará el motivo en mi registro.',
    notSaved:
      'No he podido guardarlo a tiempo. Inténtalo de nuevo en un momento; si al final se guardó, la tarjeta lo mostrará.',
    unknownQuestion:
      'No conozco esa pregunta (o ya no existe), así que no se ha cambiado nada. Mencióname para empezar de nuevo.',
    nothingToStop: 'Aquí no hay nada en marcha, así que no hay nada que detener.',
    nothingToRetry: 'Ya no hay nada que reintentar.',
    feedbackNoted: {
      good: 'Gracias, anotado.',
      bad: 'Gracias, anotado. Para que lo haga mejor, mencióname aquí y dime qué estaba mal.',
    },
    feedbackUnknown: 'Ya no conozco esa respuesta, así que no anoté nada.',
    notArrived: 'Lo que elegiste no ha llegado. Vuelve a elegir.',
    formLate: 'El formulario tardó demasiado en abrirse. Haz clic otra vez.',
    formRefused: 'No se pudo abrir el formulario. Haz clic otra vez o escribe tu respuesta en este hilo.',
  },

  refusals: {
    not_requester: (who) =>
      `Solo puede hacerlo la persona que inició esto${who === undefined ? '' : ` (${who})`}. ${nothingChanged}`,
    not_asked: (who) =>
      `${who === undefined ? 'Esta pregunta es para otra persona' : `Solo puede responder a esta pregunta: ${who}`}. ${nothingChanged}`,
    not_participant: `Solo pueden hacerlo las personas que han escrito en este hilo. ${nothingChanged}`,
    guest: `Los invitados de este espacio de trabajo no pueden usarme aquí. ${nothingChanged}`,
    external: `Las personas de otras organizaciones no pueden usarme aquí. ${nothingChanged}`,
    unknown_person: `Slack no ha podido decirme quién eres. ${nothingChanged} Inténtalo de nuevo en un momento.`,
    user_not_listed: `No estás entre las personas que pueden usarme. ${nothingChanged} Consulta a quien administra este bot.`,
    channel_not_listed: `No puedo trabajar en este canal. ${nothingChanged} Consulta a quien administra este bot.`,
  },

  problems: {
    unreadable: 'No puedo leer esta respuesta. Inténtalo de nuevo.',
    blank: 'La respuesta está en blanco. Escribe algo.',
    part_blank: 'Una de las respuestas está en blanco.',
    no_such_option: 'Esta pregunta no tiene esa opción.',
    too_many: 'Elige solo una opción.',
    options_only: 'Esta pregunta solo admite sus opciones. Elige entre ellas.',
    nothing_picked: (several) => (several ? 'Elige al menos una opción.' : 'Elige una opción.'),
    ambiguous: (text) => `«${text}» corresponde a varias opciones. Elige una de ellas.`,
    not_options: (texts) => `No están entre las opciones: ${texts}.`,
    too_long: (characters) => `La respuesta es demasiado larga: ${characters} caracteres como máximo.`,
  },

  working: 'está trabajando…',
};
