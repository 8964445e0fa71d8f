import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { hashPassword } from '@trainyard/users/server/passwords.ts'
import { appCode } from '@trainyard/platform/test/app-code.ts'
import { softwareAuthenticator } from './authenticator.ts'
import type { Reply } from '@trainyard/platform/test/caller.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import type { TestPortal } from '@trainyard/platform/test/portal.ts'

export const PASSWORD = 'a good long password'

/**
 * Returns functions for users who sign in with a second factor. The portal's clock is fixed in the middle of a code's
 * 30 s. It advances by a minute for each generated code, so that no code expires on a slow machine.
 */
export async function secondFactors(portal: TestPortal) {
  const began = Math.floor(Date.now() / 30_000) * 30_000 + 15_000
  let offsetSeconds = 0
  await setPortalClock(portal.owner, new Date(began))
  let userCount = 0
  const send = async (method: string, path: string, body?: object, uid?: string): Promise<Reply> => {
    const reply = await portal.request(method, path, { uid, body })
    return { status: reply.status, body: await reply.json() }
  }
  const sendOk = async (...call: Parameters<typeof send>): Promise<Reply['body']> => {
    const { status, body } = await send(...call)
    if (status !== 200) throw new Error(`${call[0]} ${call[1]}: ${status} ${body.message}`)
    return body
  }
  const advanceClock = async (seconds: number): Promise<void> => {
    offsetSeconds += seconds
    await setPortalClock(portal.owner, new Date(began + offsetSeconds * 1_000))
  }
  const codeOf = (secret: string, seconds = 0): string =>
    appCode(secret, new Date(began + (offsetSeconds + seconds) * 1_000))
  /** Returns the app's next code, from a time step that was not used yet. */
  const nextCode = async (secret: string): Promise<string> => {
    await advanceClock(60)
    return codeOf(secret)
  }
  return {
    send: send,
    sendOk: sendOk,
    later: advanceClock,
    codeOf,
    nextCode,
    origin: portal.url.replace('127.0.0.1', 'localhost'),
    async person(role: Role, organisation: OrganisationId | null = null): Promise<string> {
      const email = `${role}${(userCount += 1)}@factor.test`
      await portal.app.db
        .insertInto('portal_user')
        .values({ email, role, organisation_id: organisation, password_hash: await hashPassword(PASSWORD) })
        .execute()
      return email
    },
    login: (email: string) => send('POST', '/user/login', { email, password: PASSWORD }),
    second: (challenge: string, answer: object) => send('POST', '/user/login/second', { challenge, ...answer }),
    /** Adds an authenticator app. Returns its secret and the recovery codes. */
    async addApp(uid: string): Promise<{ secret: string; recoveryCodes: string[] }> {
      const { setup, secret } = await sendOk('POST', '/account/second-factor/app', undefined, uid)
      const code = await nextCode(secret)
      const { recoveryCodes } = await sendOk('POST', '/account/second-factor/app/confirm', { setup, code }, uid)
      return { secret, recoveryCodes }
    },
    /** Adds a passkey of a new authenticator. Returns the authenticator. */
    async addPasskey(uid: string, name = 'Laptop') {
      const device = softwareAuthenticator(portal.url.replace('127.0.0.1', 'localhost'))
      const { challenge, options } = await sendOk('POST', '/account/passkeys/challenge', undefined, uid)
      await sendOk('POST', '/account/passkeys', { challenge, name, attestation: device.create(options) }, uid)
      return device
    },
  }
}
