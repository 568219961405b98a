/** What people hold in their hands for two-factor authentication: an app on a phone, and a security key. For journeys. */
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'

const PERIOD_MS = 30_000

/** An authenticator app that knows the secret. */
export function phoneWith(typed: string) {
  const app = new TOTP({ secret: Secret.fromBase32(typed.replace(/\s/g, '')) })
  const codeAt = (step: number) => app.generate({ timestamp: step * PERIOD_MS })
  const stepNow = () => Math.floor(Date.now() / PERIOD_MS)
  let used = 0
  return {
    /** Each code counts once, and the site accepts the next one early, so the third within a minute waits for its time. */
    async code() {
      used = Math.max(stepNow(), used + 1)
      while (used > stepNow() + 1) await new Promise((resolve) => setTimeout(resolve, 500))
      return codeAt(used)
    },
    /** A code that the app doesn't show around this time. */
    wrongCode() {
      const near = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((away) => codeAt(stepNow() + away))
      const repeated = [...'123456789'].map((digit) => digit.repeat(6))
      // Only nine codes are close, so one of these ten isn't.
      return [...repeated, '123123'].find((code) => !near.includes(code)) as string
    },
  }
}

/** A security key that's plugged into this page's browser. It confirms everything. */
export async function plugInKey(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      hasPrf: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** Copies its credentials to another key. */
    async copyTo(other: { take(credential: Credential): Promise<void> }) {
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
      for (const credential of credentials) await other.take(credential)
    },
    async take(credential: Credential) {
      await devtools.send('WebAuthn.addCredential', { authenticatorId, credential })
    },
  }
}

/** A passkey, as Chromium exports it. */
interface Credential {
  credentialId: string
  isResidentCredential: boolean
  privateKey: string
  signCount: number
}
