import type { account as english } from './account-en.ts'

export const account: typeof english = {
  title: 'Tu cuenta',
  signOut: 'Cerrar sesión',
  entries: {
    overview: 'Resumen',
  },
  done: {
    confirmed: 'Gracias. Ya puedes continuar.',
  },
  overview: {
    signedInAs: 'Has iniciado sesión como',
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
