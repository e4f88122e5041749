import type { account as english } from './account-en.ts'

export const account: typeof english = {
  title: 'Tu cuenta',
  signOut: 'Cerrar sesión',
  entries: {
    overview: 'Resumen',
    sessions: 'Sesiones y dispositivos',
    security: 'Seguridad',
    linked: 'Cuentas vinculadas',
    privacy: 'Privacidad',
    onboarding: 'Sobre ti',
  },
  done: {
    confirmed: 'Gracias. Ya puedes continuar.',
    session_ended: 'Esta sesión se ha cerrado.',
    others_ended: 'Se han cerrado todas las demás sesiones.',
  },
  overview: {
    signedInAs: 'Has iniciado sesión como',
  },
  sessions: {
    title: 'Sesiones y dispositivos',
    sentence:
      'Estos navegadores y aplicaciones tienen una sesión abierta. Cierra lo que no conozcas y cambia tu contraseña.',
    device: (browser, system) => `${browser} en ${system}`,
    unknownDevice: 'Dispositivo desconocido',
    current: 'Esta',
    waiting: 'Espera un código',
    lastUsed: (time) => `Último uso: ${time}`,
    since: (day) => `Iniciada el ${day}`,
    end: 'Cerrar',
    endOf: (device, address) => `Cerrar la sesión de ${device}, ${address}`,
    endOthersTitle: 'En todos los demás sitios',
    endOthersText:
      'Se cierran todas las sesiones menos esta. Los navegadores que no necesitan confirmar la entrada tendrán que hacerlo otra vez.',
    endOthers: 'Cerrar todas las demás sesiones',
    refusals: {
      NOT_FOUND: 'Esta sesión ya se había cerrado.',
    },
  },
  confirm: {
    title: 'Confirma que eres tú',
    why: 'Iniciaste sesión hace un rato, y esto afecta a la seguridad de tu cuenta.',
    password: 'Contraseña',
    byPassword: 'Escribe tu contraseña.',
    nothing:
      'No hay contraseña ni segundo factor con que confirmarlo. Cierra la sesión, vuelve a iniciarla y regresa aquí.',
    signOut: 'Cerrar la sesión e iniciarla de nuevo',
    refusals: {
      INVALID_CURRENT_PASSWORD: 'Esta contraseña no es correcta.',
      INVALID_CODE: 'Este código no es correcto o ya no es válido.',
      VALIDATION_ERROR: 'Escribe lo que se pide.',
      PASSKEY: 'La llave de acceso no se ha aceptado. Inténtalo de nuevo o usa otra forma.',
    },
  },
}
