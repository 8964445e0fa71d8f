import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { AMOUNT_RUPEES_MAX } from '@trainyard/platform/contract/words/limits.ts'
import { LOGO_BYTES_MAX } from './logo.ts'
import { isPrefix, RANGES_MAX } from '@trainyard/platform/contract/words/network.ts'
import { IDLE_MINUTES_MAX, IDLE_MINUTES_MIN, SECOND_FACTOR_RULES } from '@trainyard/platform/contract/words/sign-in.ts'
import { isTimeZone } from '@trainyard/platform/contract/words/time-zone.ts'
import { gstProblem } from './gst.ts'
import { normaliseTypedCode } from '@trainyard/platform/contract/words/typed-code.ts'
import { azureTags, email, enteredName, instant, name, rupees } from '@trainyard/platform/contract/shapes.ts'

export const gst = z
  .string()
  .max(40, 'must be 15 letters and digits')
  .transform(normaliseTypedCode)
  .superRefine((text, context) => {
    const problem = gstProblem(text)
    if (problem !== null) context.addIssue(problem)
  })

const roles = ['superadmin'] as const
const settingRoles = ['admin', 'superadmin'] as const

const requiredOrganisationRef = z.strictObject({ organization: name })

/** Used by superadmins only. Other users always get their own organisation. */
const organisationRef = z.strictObject({ organization: name.optional() })

const changesSomething = [
  ({ organization: _organization, ...changes }: { organization?: string | undefined }) =>
    Object.keys(changes).length > 0,
  'must contain at least one field to change',
] as const

export const NOT_A_TIME_ZONE = 'Choose a time zone from the list, such as Asia/Kolkata.'

const timeZone = z.string().max(64, NOT_A_TIME_ZONE).refine(isTimeZone, NOT_A_TIME_ZONE)

const creditLimit = rupees.refine(
  (amount) => amount >= 0 && amount <= AMOUNT_RUPEES_MAX,
  'must be between 0 and 1,00,00,00,000 rupees',
)

const security = z.object({
  /** A password chosen by another person must be changed at the first sign-in. */
  passwordChangeRequired: z.boolean(),
  /** Null if the installation's default applies. */
  secondFactor: z.enum(SECOND_FACTOR_RULES).nullable(),
  secondFactorSince: instant.nullable(),
  /** Session idle timeout in minutes, or null if the installation's default applies. */
  idleMinutes: z.int().nullable(),
  passwordsAllowed: z.boolean(),
})

export const organisation = {
  list: call({
    route: 'GET /admin/organization',
    for: roles,
    public: { scope: 'organisation:read', operation: 'listOrganisations' },
    does: 'Lists the names of all organisations in alphabetical order.',
    reply: z.object({ organization: z.array(z.string()).meta({ examples: [['Acme Learning']] }) }),
  }),
  create: call({
    route: 'POST /admin/organization',
    for: roles,
    does: 'Creates an organisation.',
    audit: 'created an organisation',
    body: z.strictObject({ organization: enteredName }),
    once: true,
  }),
  remove: call({
    route: 'DELETE /admin/organization',
    for: roles,
    proof: 'fresh',
    does: 'Deletes an organisation. 409 while it has live machines or a balance.',
    audit: 'deleted an organisation',
    body: requiredOrganisationRef,
  }),
  settings: call({
    route: 'GET /admin/organization/settings',
    for: settingRoles,
    does: "Returns an organisation's profile and sign-in settings.",
    query: organisationRef,
    reply: z.object({
      name: z.string(),
      logo: z.string().nullable(),
      timeZone: z.string(),
      gst: z.string().nullable(),
      /** In rupees; 0 means no credit. */
      creditLimit: z.number(),
      /** Tags of every resource that is created for the organisation at Azure. */
      azureTags: z.record(z.string(), z.string()),
      /** Learners who register by a link can give a pseudonym as their name. */
      pseudonymsAllowed: z.boolean(),
      security,
      /**
       * Address ranges from which management ports can be reached, in addition to the portal's own. Null if the default
       * applies.
       */
      managementSources: z.array(z.string()).nullable(),
      /**
       * Address for learners' questions. If null, questions go to an instructor of the training or to the admin who
       * ordered.
       */
      helpEmail: z.string().nullable(),
    }),
  }),
  changeProfile: call({
    route: 'PATCH /admin/organization/profile',
    for: settingRoles,
    does: "Changes the given fields of an organisation's profile. Credit limit and Azure tags can be changed by superadmins only.",
    audit: 'changed an organisation’s profile',
    body: organisationRef
      .extend({
        timeZone: timeZone.optional(),
        gst: gst.nullable().optional(),
        creditLimit: creditLimit.optional(),
        azureTags: azureTags.optional(),
        helpEmail: email.nullable().optional(),
        pseudonymsAllowed: z.boolean().optional(),
      })
      .refine(...changesSomething),
  }),
  changeSources: call({
    route: 'PATCH /admin/organization/sources',
    for: settingRoles,
    does: "Sets the address ranges from which an organisation's users reach SSH and remote desktop. The portal itself always has access. Null restores the default.",
    audit: 'changed the addresses that can reach an organisation’s machines',
    body: organisationRef.extend({
      managementSources: z
        .array(
          z
            .string()
            .max(18)
            .refine(isPrefix, {
              error: ({ input }) => `The range ${String(input)} is not an address range such as 203.0.113.0/24.`,
            }),
        )
        .min(1, 'must contain at least one address range')
        .max(RANGES_MAX, `must contain at most ${RANGES_MAX} address ranges`)
        .nullable(),
    }),
  }),
  changeLogo: call({
    route: 'PATCH /admin/organization/logo',
    for: settingRoles,
    does: "Sets an organisation's logo (PNG, JPEG or WebP in base64), or removes it with null.",
    audit: 'changed an organisation’s logo',
    size: 'document',
    body: organisationRef.extend({
      image: z
        .string()
        .min(1, 'must not be empty')
        .max(Math.ceil(LOGO_BYTES_MAX / 3) * 4, `must be at most ${LOGO_BYTES_MAX / 1024} kB large`)
        .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64')
        .nullable(),
    }),
  }),
  changeSecurity: call({
    route: 'PATCH /admin/organization/security',
    for: settingRoles,
    proof: 'fresh',
    does: 'Changes the given sign-in settings of an organisation.',
    audit: 'changed an organisation’s security settings',
    body: organisationRef
      .extend({
        passwordChangeRequired: z.boolean().optional(),
        secondFactor: z.enum(SECOND_FACTOR_RULES).nullable().optional(),
        idleMinutes: z
          .int('must be a whole number of minutes')
          .min(IDLE_MINUTES_MIN, `must be at least ${IDLE_MINUTES_MIN}`)
          .max(IDLE_MINUTES_MAX, `must be at most ${IDLE_MINUTES_MAX}, a week`)
          .nullable()
          .optional(),
        passwordsAllowed: z.boolean().optional(),
      })
      .refine(...changesSomething),
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    organisation: typeof organisation
  }
}
