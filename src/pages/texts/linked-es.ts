import type { PageTexts } from './en.ts'

export const linked: PageTexts['linked'] = {
  title: 'Cuentas vinculadas',
  sentence:
    'Con una cuenta vinculada de otro servicio entras aquí sin contraseña. Ese servicio no ve nada de esta cuenta.',
  yours: 'Vinculadas',
  none: 'Todavía ninguna.',
  since: (date) => `Vinculada el ${date}`,
  used: (date) => `último uso el ${date}`,
  unlink: 'Desvincular',
  unlinkNamed: (name) => `Desvincular ${name}`,
  add: 'Vincular otra cuenta',
  link: (name) => `Vincular ${name}`,
  goOn: (name) => `Continuar a ${name}`,
  goOnText: (name) => `${name} te pide iniciar sesión allí y después vuelves aquí.`,
  endsSessions: 'Vincular y desvincular cierra tus demás sesiones.',
  done: {
    linked: 'La cuenta está vinculada. A partir de ahora también puedes entrar con ella.',
    unlinked: 'La cuenta ya no está vinculada.',
  },
  refusals: {
    LAST_SIGN_IN_METHOD:
      'Es tu única forma de entrar. Antes elige una contraseña, confirma tu correo o añade una llave de acceso.',
    NOT_FOUND: 'Esta cuenta ya no está vinculada.',
    access_denied: 'Lo cancelaste allí. No se ha cambiado nada.',
    account_exists: 'Esa cuenta del otro servicio está vinculada a otra cuenta de aquí.',
    invalid_state: 'Ha tardado demasiado o se ha cruzado otra ventana. Inténtalo de nuevo.',
    provider_error: 'El otro servicio no ha respondido como debía. Inténtalo de nuevo.',
    rate_limited: 'Demasiados intentos. Espera unos minutos e inténtalo de nuevo.',
  },
}
