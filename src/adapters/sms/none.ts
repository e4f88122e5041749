import type { SmsSender } from './port.ts'

export const createNoSmsSender = (): SmsSender => ({
  isConfigured: false,
  async send() {
    throw new Error('no SMS sender is set up: SMS_WEBHOOK_URL is not set')
  },
})
