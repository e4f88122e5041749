import type { entry as english } from './entry-en.ts'

export const entry: typeof english = {
  returning: {
    address: {
      title: 'Esta dirección no está permitida',
      message: 'Vuelve a la aplicación que te envió aquí y avisa a quien la administra.',
      operator: 'Si administras este servicio: el destino sería {address}, que {setting} no permite.',
    },
    parameter: {
      title: 'Esta solicitud de inicio de sesión no es válida',
      message: 'Vuelve a la aplicación que te envió aquí y avisa a quien la administra.',
      operator: 'Si administras esa aplicación: su valor de {parameter} no es válido.',
    },
    noAddress: 'una dirección que no es válida',
    byCode: 'Para entrar donde empezaste, escribe allí el código del mensaje.',
    back: 'Ir a la página de inicio',
    elsewhere: 'Puedes cerrar esta página y continuar donde empezaste.',
    continues: 'para continuar en',
    cancel: 'Cancelar',
    asAnother: 'Usar otra cuenta',
  },
  ways: {
    signIn: 'Ir a la página de inicio de sesión',
    onward: 'Continuar',
    account: 'Ir a tu cuenta',
    verifyEmail: 'Pedir otro mensaje',
    loginByMail: 'Pedir otro mensaje',
  },
  password: {
    newLabel: 'Contraseña nueva',
    hint: (minimum) => `Al menos ${minimum} caracteres. Una frase corta es una buena contraseña.`,
    show: 'Mostrar',
    hide: 'Ocultar',
    showPassword: 'Mostrar la contraseña',
    hidePassword: 'Ocultar la contraseña',
    strength: {
      short: 'Demasiado corta',
      weak: 'Fácil de adivinar',
      fair: 'Bien; más larga es mejor',
      strong: 'Difícil de adivinar',
    },
    problems: {
      short: (minimum) => `Escribe al menos ${minimum} caracteres.`,
      long: 'Esta contraseña es demasiado larga. Escribe como máximo 256 caracteres.',
      unicode: 'Esta contraseña tiene caracteres que no se pueden guardar.',
      spaces: 'Una contraseña no puede tener solo espacios.',
      context: 'No uses tu dirección, tu nombre ni el nombre de este servicio.',
      common: 'Mucha gente usa esta contraseña. Elige una que sea solo tuya.',
      breached: 'Esta contraseña ha aparecido en una filtración de datos. Elige otra.',
      same: 'Es la contraseña que ya tienes. Elige otra.',
    },
  },
  form: {
    email: 'Correo electrónico',
    password: 'Contraseña',
    name: 'Nombre',
    lastName: 'Apellidos',
    optional: 'opcional',
    problems: {
      fields: 'Revisa los campos marcados.',
      email: 'Escribe una dirección de correo electrónico, como ada@example.com.',
      password: 'Escribe una contraseña.',
      name: 'Escribe como máximo 100 caracteres, sin saltos de línea.',
      last_name: 'Escribe como máximo 100 caracteres, sin saltos de línea.',
      weak: 'Esta contraseña es demasiado fácil de adivinar. Elige otra.',
    },
  },
  register: {
    title: 'Crear una cuenta',
    submit: 'Crear la cuenta',
    accept: 'Al crear una cuenta aceptas las',
    terms: 'condiciones de uso',
    read: 'Lee cómo se usan tus datos en la',
    privacy: 'política de privacidad',
    haveOne: '¿Ya tienes una cuenta?',
    signIn: 'Iniciar sesión',
    closed: 'No se admiten cuentas nuevas',
    closedText: 'En esta página no se crean cuentas.',
    refusals: {
      EMAIL_TAKEN: 'Esta dirección ya está registrada. Inicia sesión o elige una contraseña nueva.',
    },
  },
  verifyEmail: {
    title: 'Confirma tu correo electrónico',
    ask: 'Escribe la dirección con la que te registraste. Te enviaremos un enlace y un código para confirmarla.',
    submit: 'Enviar enlace y código',
    sent: 'Revisa tu correo',
    sentTo: (address) =>
      `Para terminar, abre el enlace del mensaje enviado a ${address} o escribe aquí el código que contiene.`,
    confirm: 'Confirmar',
    nothing: '¿No te ha llegado? Revisa la carpeta de spam o envía el mensaje otra vez.',
    again: 'Reenviar',
    againIn: 'Reenviar en {seconds} s',
    sentAgain: 'Si todavía hay que confirmar la dirección, hemos enviado otro mensaje.',
    other: 'Usar otra dirección',
    onward: 'Ahora no',
    signIn: 'Ir a la página de inicio de sesión',
    refusals: {
      VALIDATION_ERROR: 'Escribe una dirección de correo electrónico, como ada@example.com.',
    },
  },
  forgot: {
    title: 'Elegir una contraseña nueva',
    sentence: (appName) =>
      `Escribe el correo electrónico de tu cuenta de ${appName}. Te enviaremos un enlace y un código para elegir una contraseña nueva.`,
    submit: 'Enviar enlace y código',
    signIn: 'Volver al inicio de sesión',
    sent: 'Revisa tu correo',
    sentTo: (address) =>
      `Si hay una cuenta con la dirección ${address}, le hemos enviado un mensaje. Abre su enlace o escribe aquí el código que contiene.`,
    onward: 'Continuar',
    sentElsewhere:
      'Si hay una cuenta con esta dirección, le hemos enviado un mensaje. Su enlace funciona una vez y durante poco tiempo.',
    again: 'Enviar otro mensaje',
    refusals: {
      VALIDATION_ERROR: 'Escribe una dirección de correo electrónico, como ada@example.com.',
      INVALID_TOKEN: 'Este enlace o código ya no es válido. Pide uno nuevo.',
    },
  },
  reset: {
    title: 'Elige una contraseña nueva',
    sentence: (appName) => `Para tu cuenta de ${appName}. Se cerrarán todas las demás sesiones.`,
    submit: 'Guardar la contraseña',
  },
  setup: {
    title: 'Crea la primera cuenta de administración',
    sentence: (appName) => `Esta cuenta puede gestionar todos los usuarios de ${appName}. La página funciona una vez.`,
    submit: 'Crear la cuenta',
    refusals: {
      EMAIL_TAKEN: 'Esta dirección de correo electrónico ya está registrada.',
    },
  },
}
