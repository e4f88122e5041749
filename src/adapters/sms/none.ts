import type { SmsSender } from './port.ts'

export const createNoSmsSender = (): SmsSender => ({
  isConfigured: false,
  async send() {
    throw new Error('no SMS sender is configured: set SMS_WEBHOOK_URL or TWILIO_ACCOUNT_SID')
  },
})
