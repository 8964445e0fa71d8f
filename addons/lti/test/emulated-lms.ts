import { expect } from 'vitest'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import type { TestEnvironment } from '@trainyard/platform/test/environment.ts'

interface Finished {
  readonly status: number
  readonly body: Record<string, string>
  /** Cookies of the browser that completed the launch. */
  readonly cookie: string
}

export interface EmulatedLms {
  /** ID of the LMS in the portal. */
  readonly id: string
  readonly clientId: string
  /** Adds an activity to a course, with a gradebook column if `maximum` is given. */
  addLink(title: string, more?: object): Promise<{ id: string; item: string | null }>
  /** Opens an activity, or the choice of content, as a browser does. Returns the portal's reply. */
  launch(user: string, link: string | null, course?: string): Promise<Finished>
  /** As `launch`, then opens the session. */
  enter(user: string, link: string): Promise<Record<string, string>>
}

/** Returns the cookies that a response sets, as a browser sends them. */
export const cookiesOf = ({ headers }: Response): string =>
  headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ')

/** Registers the portal at the emulated LMS by dynamic registration and activates it there. */
export async function connectEmulatedLms(env: TestEnvironment, admin: Caller, course = 'CS101'): Promise<EmulatedLms> {
  const { portal } = env
  const control = async (path: string, body?: object) => (await env.control('POST', path, body)).body
  const added = await admin('POST', '/admin/lms', { name: 'Emulated LMS' })
  const code = (added.body.registrationUrl as string).split('/').at(-1)
  const { openid_configuration, registration_token } = await control('/_lti/registrations')
  const registered = await portal.request('POST', '/lti/register', {
    body: { code, configuration: openid_configuration, token: registration_token },
  })
  expect([registered.status, await registered.json()]).toEqual([200, expect.anything()])
  const { body } = await admin('GET', '/admin/lms')
  const { id, settings } = body.platforms.find((each: { name: string }) => each.name === 'Emulated LMS')
  const { clientId } = settings
  await control('/_lti/activate', { clientId })

  const launch = async (user: string, link: string | null, inCourse = course) => {
    const { values } = await control('/_lti/launches', { course: inCourse, clientId, user, link })
    const started = await portal.request('POST', '/lti/start', {
      body: {
        platform: id,
        issuer: values.iss,
        loginHint: values.login_hint,
        messageHint: values.lti_message_hint,
        clientId: values.client_id,
        deployment: values.lti_deployment_id,
        storageTarget: null,
      },
    })
    const { address } = (await started.json()) as { address: string }
    const form = await (await fetch(address)).text()
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(form)?.[1]
    const finished = await portal.request('POST', '/lti/finish', {
      headers: { cookie: cookiesOf(started) },
      body: {
        platform: id,
        stateToken: field('state') ?? 'none',
        idToken: field('id_token') ?? null,
        error: null,
        proof: null,
      },
    })
    return {
      status: finished.status,
      body: (await finished.json()) as Record<string, string>,
      cookie: cookiesOf(finished),
    }
  }
  return {
    id,
    clientId,
    addLink: (title, more = {}) => control('/_lti/links', { course, clientId, title, ...more }),
    launch,
    async enter(user, link) {
      const { body, cookie } = await launch(user, link)
      const request = { body: { ticket: body['ticket'] }, headers: { cookie } }
      const entered = await portal.request('POST', '/lti/enter', request)
      return (await entered.json()) as Record<string, string>
    },
  }
}
