import { type Limit, MINUTE } from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { LMS_STATES, LMS_VIEWS, SCORE_BY, SCORE_MINUTES_MAX } from './lms-words.ts'
import { ROLES } from '@trainyard/platform/contract/words/role.ts'
import { instant, message, name, newName } from '@trainyard/platform/contract/shapes.ts'

/**
 * A whole class behind one address may open an activity within a minute. A launch opens two pages and makes three
 * calls.
 */
export const launches: Limit = { name: 'lti', per: 'address', max: 3_000, seconds: MINUTE }

const ltiKeys: Limit = { name: 'lti-keys', per: 'address', max: 600, seconds: MINUTE }

const ltiRegistration: Limit = { name: 'lti-registration', per: 'address', max: 20, seconds: MINUTE }

const roles = ['admin', 'superadmin'] as const

const organisationRef = z.strictObject({ organization: name.optional() })

const platformId = z.uuid('must be the id of an LMS')
const platformRef = z.strictObject({ id: platformId })

const address = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://lms.example.com/token' })
  .max(1_000, 'must be at most 1000 characters long')

/** LTI Core 1.3 limits these identifiers to 255 ASCII characters. */
const identifierOrElse = (empty: string) =>
  z
    .string()
    .min(1, empty)
    .max(255, 'must be at most 255 characters long')
    .regex(/^[\x20-\x7e]+$/, 'must consist of ASCII characters')
const identifier = identifierOrElse('must not be empty')

const registrationLink = message.extend({
  id: z.uuid(),
  /** Address for the LMS's dynamic registration. It can be used once and is not shown again. */
  registrationUrl: z.string(),
  expires: instant,
})

const activity = z.object({
  id: z.uuid(),
  title: z.string(),
  /** True if the LMS has a column in its gradebook for the activity. */
  hasColumn: z.boolean(),
  /** Source of the score: active minutes, or points of the lab guide. Null: no score is sent. */
  scoreBy: z.enum(SCORE_BY).nullable(),
  /** Active minutes for the full score, or null if they do not give it. */
  scoreMinutes: z.int().nullable(),
  /** Learners whose score the LMS has accepted. */
  scores: z.int(),
  /** Time at which the LMS last accepted a score, or null if it never did. */
  sentAt: instant.nullable(),
  /** Reason why the LMS did not accept scores, or null if it accepted all. */
  problem: z.string().nullable(),
})
export type LmsActivity = z.output<typeof activity>

const course = z.object({
  id: z.uuid(),
  title: z.string(),
  /** Name of the training, or null if the course is not connected. */
  training: z.string().nullable(),
  seenAt: instant,
  /** Learners and instructors, as last read from the LMS. Null if the LMS offers no roster. */
  roster: z
    .object({
      members: z.int(),
      readAt: instant.nullable(),
      /** Error of the last read; null if it succeeded. */
      problem: z.string().nullable(),
    })
    .nullable(),
  /** Activities that were opened. */
  activities: z.array(activity),
})
export type LmsCourse = z.output<typeof course>

const platform = z.object({
  id: z.uuid(),
  name: z.string(),
  state: z.enum(LMS_STATES),
  /** Settings of the LMS; null until they are entered or the LMS has registered. */
  settings: z
    .object({
      issuer: z.string(),
      clientId: z.string(),
      authorizationUrl: z.string(),
      tokenUrl: z.string(),
      tokenAudience: z.string().nullable(),
      keySetUrl: z.string(),
    })
    .nullable(),
  /** Addresses of this portal, to enter at the LMS. */
  addresses: z.object({ login: z.string(), redirect: z.string(), keySet: z.string(), target: z.string() }),
  /** Expiry of the registration link; null if there is none. */
  registrationExpires: instant.nullable(),
  deployments: z.array(z.object({ id: z.string(), isAccepted: z.boolean(), seenAt: instant.nullable() })),
  courses: z.array(course),
  /** Time of the last successful launch, or null if there was none. */
  workedAt: instant.nullable(),
})
export type LmsPlatform = z.output<typeof platform>

export const lms = {
  list: call({
    route: 'GET /admin/lms',
    for: roles,
    does: "Lists an organisation's learning management systems (LMS) with their deployments and courses.",
    query: organisationRef,
    reply: z.object({ platforms: z.array(platform) }),
  }),
  create: call({
    route: 'POST /admin/lms',
    for: roles,
    proof: 'fresh',
    does: 'Adds an LMS and returns a one-time link for its dynamic registration.',
    audit: 'added an LMS',
    body: organisationRef.extend({ name: newName }),
    reply: registrationLink,
  }),
  renewLink: call({
    route: 'POST /admin/lms/link',
    for: roles,
    proof: 'fresh',
    does: 'Returns a new registration link for an LMS that is not set up yet. The previous link stops working.',
    audit: 'created a registration link for an LMS',
    body: platformRef,
    reply: registrationLink,
  }),
  save: call({
    route: 'PATCH /admin/lms',
    for: roles,
    proof: 'fresh',
    does: 'Sets the name, the addresses and the deployments of an LMS by hand.',
    audit: 'changed the settings of an LMS',
    size: 'document',
    body: platformRef.extend({
      name: newName,
      issuer: address,
      clientId: identifierOrElse('Enter the client ID.'),
      authorizationUrl: address,
      tokenUrl: address,
      /** Audience of token requests, if the LMS names one that differs from the token address. */
      tokenAudience: z.string().min(1, 'must not be empty').max(1_000).nullable(),
      keySetUrl: address,
      /** Accepted deployments. Others are no longer accepted. */
      deployments: z
        .array(identifier)
        .max(200, 'must be at most 200')
        .refine((list) => new Set(list).size === list.length, 'must name each deployment once'),
    }),
  }),
  suspend: call({
    route: 'POST /admin/lms/suspension',
    for: roles,
    proof: 'fresh',
    does: 'Suspends an LMS, so that launches are refused and nothing is sent to it, or ends the suspension.',
    audit: 'suspended an LMS or ended its suspension',
    body: platformRef.extend({ suspended: z.boolean() }),
  }),
  remove: call({
    route: 'DELETE /admin/lms',
    for: roles,
    proof: 'fresh',
    does: 'Removes an LMS. 409 while one of its courses is connected. Accounts, trainings and machines stay.',
    audit: 'removed an LMS',
    body: platformRef,
  }),
  decideDeployment: call({
    route: 'POST /admin/lms/deployments',
    for: roles,
    proof: 'fresh',
    does: 'Accepts a deployment that the LMS used, or removes it.',
    audit: 'accepted or removed a deployment of an LMS',
    body: platformRef.extend({ deployment: identifier, accepted: z.boolean() }),
  }),
  connectCourse: call({
    route: 'POST /admin/lms/courses',
    for: roles,
    does: 'Connects a course of an LMS to a training, or disconnects it.',
    audit: 'connected a course of an LMS to a training, or disconnected it',
    body: z.strictObject({ id: z.uuid('must be the id of a course'), trainingName: name.nullable() }),
  }),
  setScore: call({
    route: 'POST /admin/lms/scores',
    for: roles,
    does: 'Sends the active minutes of learners, or their points in the lab guide, to the gradebook of an LMS as scores of an activity, or stops that.',
    audit: 'changed which scores are sent to an LMS',
    body: z.strictObject({
      id: z.uuid('must be the id of an activity'),
      /** Active minutes for the full score, or null to send no scores, or points. */
      minutes: z
        .int()
        .min(1, 'must be at least 1')
        .max(SCORE_MINUTES_MAX, `must be at most ${SCORE_MINUTES_MAX}`)
        .nullable(),
      /** Sends the points of the lab guide. They have their own maximum. */
      points: z.boolean().default(false),
    }),
  }),
  test: call({
    route: 'POST /admin/lms/test',
    for: roles,
    does: "Fetches the LMS's key set and requests an access token.",
    audit: 'tested the connection to an LMS',
    body: platformRef,
    reply: z.object({ found: z.array(z.string()), problem: z.string().nullable() }),
  }),
}

const secret = z.string().regex(/^[\w-]{43}$/, 'is not valid')
const hint = z.string().max(4_000, 'must be at most 4000 characters long')

const outcome = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('entered'),
    /** Exchanged for a session with `enter`, once and in this browser. */
    ticket: z.string(),
    /** Name of the training. */
    title: z.string(),
  }),
  z.object({
    outcome: z.literal('linkable'),
    ticket: z.string(),
    title: z.string(),
    /** E-mail of an existing user, who is linked after signing in once. */
    email: z.string(),
  }),
  z.object({
    outcome: z.literal('choosing'),
    /** For `choose`. */
    ticket: z.string(),
    title: z.string(),
  }),
])

/** Calls of the pages that an LMS opens. */
export const ltiLaunch = {
  keys: call({
    route: 'GET /lti/keys',
    for: 'anyone',
    does: 'Returns the public keys with which the portal signs messages to one LMS (JSON Web Key Set).',
    limit: ltiKeys,
    query: z.strictObject({ platform: platformId }),
    reply: z.object({
      keys: z.array(
        z.object({
          kty: z.literal('RSA'),
          kid: z.string(),
          use: z.literal('sig'),
          alg: z.literal('RS256'),
          n: z.string(),
          e: z.string(),
        }),
      ),
    }),
  }),
  start: call({
    route: 'POST /lti/start',
    for: 'anyone',
    does: 'Starts a launch: returns the address at the LMS that authenticates the user.',
    audit: 'opened an activity in an LMS',
    limit: launches,
    size: { bytes: 20_000, values: 1_000 },
    body: z.strictObject({
      platform: platformId,
      issuer: hint,
      loginHint: hint,
      messageHint: hint.nullable(),
      clientId: hint.nullable(),
      deployment: hint.nullable(),
      /** Name of the LMS's frame that stores values for the tool, if the browser blocks cookies in frames; or null. */
      storageTarget: z.string().min(1, 'must not be empty').max(200, 'must be at most 200 characters long').nullable(),
    }),
    reply: z.object({
      address: z.string(),
      state: z.string(),
      /**
       * Stored in the LMS's frame to prove that the launch ends in the browser that started it; null if a cookie proves
       * it.
       */
      proof: z.string().nullable(),
    }),
  }),
  finish: call({
    route: 'POST /lti/finish',
    for: 'anyone',
    does: "Completes a launch with the LMS's ID token. Valid once, in the browser that started the launch.",
    audit: 'launched from an LMS',
    limit: launches,
    size: { bytes: 60_000, values: 1_000 },
    body: z.strictObject({
      platform: platformId,
      stateToken: hint,
      idToken: z.string().max(40_000).nullable(),
      /** Error of the LMS, shown to the user. */
      error: hint.nullable(),
      proof: secret.nullable(),
    }),
    reply: outcome,
  }),
  enter: call({
    route: 'POST /lti/enter',
    for: 'anyone',
    does: 'Opens one session for a completed launch, in the browser that completed it.',
    audit: 'signed in from an LMS',
    limit: launches,
    size: { bytes: 1_024, values: 1_000 },
    body: z.strictObject({ ticket: secret }),
    reply: z.object({
      email: z.string(),
      organization: z.string().nullable(),
      uid: z.string(),
      session: z.enum(ROLES),
      message: z.string(),
      /** Path of the page to show. */
      target: z.string(),
    }),
  }),
  handOver: call({
    route: 'POST /lti/hand-over',
    for: 'anyone',
    does: "Replaces the ticket of the LMS's frame by one that a new tab, which has other cookies, can use at once, or within ten minutes after a log-in.",
    audit: 'continued a launch from an LMS in a new tab',
    limit: launches,
    size: { bytes: 1_024, values: 1_000 },
    body: z.strictObject({ ticket: secret }),
    reply: z.object({ ticket: z.string() }),
  }),
  choose: call({
    route: 'POST /lti/choose',
    for: 'anyone',
    does: "Returns the signed answer to an LMS's request to choose content for a course (deep linking).",
    audit: 'chose content for a course of an LMS',
    limit: launches,
    size: { bytes: 2_048, values: 1_000 },
    body: z.strictObject({ ticket: secret, view: z.enum(LMS_VIEWS), title: newName }),
    reply: z.object({
      /** Address to which the page posts `jwt` as the form field JWT. */
      returnUrl: z.string(),
      jwt: z.string(),
    }),
  }),
  link: call({
    route: 'POST /lti/link',
    for: ['user'],
    does: "Links the caller's account to the LMS account of a completed launch that stated the same e-mail.",
    audit: 'linked their account to an LMS account',
    body: z.strictObject({ ticket: secret }),
    reply: message.extend({ target: z.string() }),
  }),
  register: call({
    route: 'POST /lti/register',
    for: 'anyone',
    does: 'Registers the portal at an LMS (dynamic registration), with a one-time code of an admin.',
    audit: 'registered the portal at an LMS',
    limit: ltiRegistration,
    size: { bytes: 16_384, values: 1_000 },
    body: z.strictObject({
      code: secret,
      configuration: address,
      token: z.string().max(8_000).nullable(),
    }),
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    lms: typeof lms
    ltiLaunch: typeof ltiLaunch
  }
}
