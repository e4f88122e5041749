export const originSettings = {
  PUBLIC_URL: 'https://auth.example.com',
  FRONTEND_URL: 'https://app.example.com',
  CORS_ORIGINS: 'https://other.example.net, http://localhost:5173',
}

export const allowed = [
  'https://auth.example.com',
  'https://app.example.com',
  'https://other.example.net',
  'http://localhost:5173',
]
/** Values that are not allowed: similar to an allowed origin, different from all of them, or not an origin. */
export const foreign = [
  'https://evil.example',
  'null',
  '*',
  '',
  'http://app.example.com',
  'https://app.example.com:8443',
  'https://app.example.com/',
  'https://app.example.com.evil.example',
  'https://evilapp.example.com',
  'https://evil.app.example.com',
  'https://example.com',
  'https://APP.example.com',
  'https://app.example.com@evil.example',
  'https://app.example.com, https://evil.example',
  'app.example.com',
  'http://localhost:5174',
  'http://127.0.0.1:5173',
  'file://',
  'undefined',
]
