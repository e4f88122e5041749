import type { MailBranding } from './mail-branding.ts'

/** Mail programs ignore style sheets, so elements have their styles as attributes. */
export const stylesOf = ({ light: { background, ink } }: MailBranding) => ({
  paragraph: 'margin: 0 0 16px;',
  buttonParagraph: 'margin: 24px 0 8px;',
  button:
    `display: inline-block; padding: 11px 20px; background: ${background}; color: ${ink}; border-radius: 9px; ` +
    'font-weight: 600; text-align: center; text-decoration: none;',
  muted: 'margin: 0 0 24px; color: #56615b; font-size: 13px; word-break: break-all;',
  code:
    "margin: 0 0 16px; font: 600 28px/1.3 ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace; " +
    'letter-spacing: 0.15em;',
  heading: 'margin: 0 0 16px; line-height: 1.3;',
  quote: 'margin: 0 0 16px; padding-inline-start: 16px; border-inline-start: 3px solid #dde2de;',
  rule: 'margin: 24px 0; border: 0; border-top: 1px solid #dde2de;',
})

export type MailStyles = ReturnType<typeof stylesOf>
