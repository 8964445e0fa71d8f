import { z } from 'zod'
import { INVISIBLE } from './words/comparison-key.ts'
import { EMAIL_LENGTH, isEmail, lowerAscii, normaliseEmail } from './words/email.ts'
import {
  ALLOTTED_MINUTES_MAX,
  AMOUNT_RUPEES_MAX,
  NAME_LENGTH,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from './words/limits.ts'
import { paiseOfRupees } from './words/money.ts'
import { type AzureTags, tagsProblem } from './words/azure-tags.ts'

export const nameOrEmpty = z
  .string()
  .max(NAME_LENGTH, `must be at most ${NAME_LENGTH} characters long`)
  .refine((text) => text === text.trim(), 'must not begin or end with a space')
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters')

export const name = nameOrEmpty.min(1, 'must not be empty')

export const organisationName = name.meta({ examples: ['Acme Learning'] })
export const trainingName = name.meta({ examples: ['Python for beginners'] })
export const machineName = name.meta({ examples: ['python-a'] })
export const templateName = name.meta({ examples: ['Ubuntu 24.04 Standard'] })

/**
 * Text that a user enters and others read, such as a name, a number or a reason, without invisible characters.
 */
export const visibleText = nameOrEmpty
  .normalize('NFC')
  .refine((text) => !/[^\S ]| {2}/u.test(text), 'must have single, plain spaces between its words')
  .refine((text) => !INVISIBLE.test(text), 'must not contain invisible characters')

/** Name that a user enters in a form. */
export const enteredName = visibleText.min(1, 'Enter a name.')

/** Organisation that a user selects in a form. */
export const selectedOrganisation = nameOrEmpty.min(1, 'Select an organisation.')

/** Name of something new. */
export const newName = visibleText.min(1, 'must not be empty')

/** Reason, purpose or answer. `empty` is the error for an empty text. */
export const reasonOrElse = (empty: string) => visibleText.min(1, empty).max(200, 'must be at most 200 characters long')

export const email = z
  .string()
  .max(EMAIL_LENGTH, `must be at most ${EMAIL_LENGTH} characters long`)
  .meta({ examples: ['asha@example.com'] })
  .transform(normaliseEmail)
  .refine(isEmail, 'must be an e-mail address such as name@example.com')

export const domain = z
  .string()
  .max(253, 'must be at most 253 characters long')
  .transform((text) => lowerAscii(text.trim()))
  .refine(
    (text) => /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text),
    'must be a domain such as example.com',
  )

export const password = z.string().min(1, 'must not be empty').max(PASSWORD_LENGTH_MAX)

export const newPassword = z
  .string()
  .min(PASSWORD_LENGTH_MIN, `must be at least ${PASSWORD_LENGTH_MIN} characters long`)
  .max(PASSWORD_LENGTH_MAX, `must be at most ${PASSWORD_LENGTH_MAX} characters long`)

const IN_PAISE = [
  (amount: number) => paiseOfRupees(amount) !== null,
  'must be rupees with at most two decimals',
] as const

/** `sentence` is the error for NaN: a form could not read the entered text as a number. */
const enteredNumber = (sentence: string) =>
  z.number({ error: ({ input }) => (Number.isNaN(input) ? sentence : undefined) })

export const rupees = enteredNumber(IN_PAISE[1]).refine(...IN_PAISE)

/** `sentence` is the error for zero and negative amounts. The maximum keeps sums in paise exact. */
export const positiveRupees = (sentence: string, unreadable = sentence) =>
  enteredNumber(unreadable)
    .refine((value) => value > 0, sentence)
    .refine(...IN_PAISE)
    .refine((value) => value <= AMOUNT_RUPEES_MAX, 'must be at most ₹1,00,00,00,000')

export const minutes = z.int('must be a whole number of minutes').min(0)

export const allottedMinutes = z
  .int({
    error: ({ input }) =>
      Number.isNaN(input)
        ? 'Enter the hours as a number, or leave it empty for no limit.'
        : 'must be a whole number of minutes',
  })
  .min(1, 'must be at least 1 minute (0.02 hours)')
  .max(ALLOTTED_MINUTES_MAX, 'must be at most a year')
  .nullable()

export const month = z
  .string()
  .max(7)
  .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-01')

/** HH:mm on a 24-hour clock, in the organisation's zone. */
export const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 09:30')
  .meta({ examples: ['09:00'] })

/** HH:mm in a reply. */
export const storedTime = z.string().meta({ examples: ['09:00'] })

/** IANA time zone in a reply. */
export const storedTimeZone = z.string().meta({ examples: ['Asia/Kolkata'] })

/** ID of a row in a reply. */
export const rowId = z.string().meta({ examples: ['0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e'] })

/** YYYY-MM-DD in a reply. */
export const storedDay = z.iso.date()

const NOT_A_DAY = 'must be a date such as 2026-01-31'

/**
 * True for the years that requests accept. PostgreSQL has no year 0, and JavaScript writes years after 9999 with six
 * digits. The limits leave room for calculations in any time zone.
 */
const isInRange = (text: string): boolean => /^(?:19|2\d)\d\d-/.test(text)

/** YYYY-MM-DD in a request. `empty` is the error for an empty text. */
export const dayOrElse = (empty: string) =>
  z.iso.date({ error: ({ input }) => (input === '' ? empty : NOT_A_DAY) }).refine(isInRange, NOT_A_DAY)

/** YYYY-MM-DD in a request, in the organisation's zone. */
export const day = dayOrElse('Enter a date.')

/** Distinct days of the week, Monday 1 to Sunday 7. */
export const weekdays = z
  .array(z.int().min(1, 'must be 1 to 7').max(7, 'must be 1 to 7'))
  .min(1, 'Choose at least one day of the week.')
  .max(7)
  .refine((days) => new Set(days).size === days.length, 'must name each day once')
  .meta({ examples: [[1, 3]] })

/** Instant in a reply, as RFC 3339 in UTC. */
export const instant = z.iso.datetime()

/** Instant in a request, as RFC 3339 in UTC, at most to the microsecond, which is what the database stores. */
export const requestedInstant = z.iso
  .datetime({ error: ({ input }) => (input === '' ? 'Enter date and time.' : undefined) })
  .max('2026-01-31T09:30:00.000000Z'.length, 'is not valid')
  .refine(isInRange, 'is not valid')

export const message = z.object({ message: z.string().meta({ examples: ['Done.'] }) })

/** A training. `organization` is used by superadmins only. */
export const trainingRef = z.strictObject({ trainingName, organization: organisationName.optional() })

export const openingTimes = z.object({
  median: z.number().meta({ examples: [80] }),
  p95: z.number().meta({ examples: [130] }),
})

/** Tags of resources at Azure. The problem's text names the first tag that cannot be used. */
export const azureTags = z
  .record(z.string().max(128), z.string().max(256), {
    error: ({ input }) => (typeof input === 'string' ? 'must be one name=value per line' : undefined),
  })
  .refine((tags) => tagsProblem(tags) === null, { error: ({ input }) => tagsProblem(input as AzureTags) ?? '' })

/** Taxable value and the taxes on it, in paise. SGST includes UTGST. */
export const taxAmounts = {
  taxablePaise: z.int().meta({ examples: [186_092] }),
  cgstPaise: z.int().meta({ examples: [16_748] }),
  sgstPaise: z.int().meta({ examples: [16_749] }),
  igstPaise: z.int().meta({ examples: [0] }),
} as const
