import { z } from 'zod'
import { EMAIL_LENGTH, isEmail, normaliseEmail } from '../words/email.ts'
import { gstProblem, normaliseGst } from '../words/gst.ts'
import {
  ALLOTTED_MINUTES_MAX,
  AMOUNT_RUPEES_MAX,
  NAME_LENGTH,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from '../words/limits.ts'
import { paiseOfRupees } from '../words/money.ts'

/** A name somebody may leave empty: no control characters, no space at either end. */
export const nameOrNothing = z
  .string()
  .max(NAME_LENGTH, `must be at most ${NAME_LENGTH} characters long`)
  .refine((text) => text === text.trim(), 'must not begin or end with a space')
  .refine((text) => !/\p{Cc}/u.test(text), 'must not hold control characters')

/** A name somebody gave. */
export const name = nameOrNothing.min(1, 'must not be empty')

/** Format characters and fillers; joiners are left to the scripts and emoji that write with them. */
const UNSEEN =
  /(?![\u200C\u200D])\p{Cf}|[\u115F\u1160\u2800\u3164\uFFA0]|(?<=[\p{Script=Latin}\p{Nd}\s\p{Cf}])[\u200C\u200D]/u

/** A name that something gets: none that looks like another without being the same. */
export const newName = name
  .normalize('NFC')
  .refine((text) => !/[^\S ]| {2}/u.test(text), 'must have single, plain spaces between its words')
  .refine((text) => !UNSEEN.test(text), 'must not hold characters that nobody sees')

export const email = z
  .string()
  .max(EMAIL_LENGTH, `must be at most ${EMAIL_LENGTH} characters long`)
  .transform(normaliseEmail)
  .refine(isEmail, 'must be an e-mail address such as name@example.com')

export const password = z.string().min(1, 'must not be empty').max(PASSWORD_LENGTH_MAX)

/** A password that somebody chooses. */
export const newPassword = z
  .string()
  .min(PASSWORD_LENGTH_MIN, `must be at least ${PASSWORD_LENGTH_MIN} characters long`)
  .max(PASSWORD_LENGTH_MAX, `must be at most ${PASSWORD_LENGTH_MAX} characters long`)

export const rupees = z
  .number()
  .refine((amount) => paiseOfRupees(amount) !== null, 'must be rupees with at most two decimals')

/** A sum that somebody pays or is billed: more than zero, else `sentence`, and within what a ledger in paise adds up exactly. */
export const sum = (sentence: string) =>
  rupees
    .refine((value) => value > 0, sentence)
    .refine((value) => value <= AMOUNT_RUPEES_MAX, 'must be at most ₹1,00,00,00,000')

export const minutes = z.int('must be a whole number of minutes').min(0)

/** A GST number (GSTIN) that can be one. */
export const gst = z
  .string()
  .max(40, 'must be 15 letters and digits')
  .transform(normaliseGst)
  .superRefine((text, context) => {
    const problem = gstProblem(text)
    if (problem !== null) context.addIssue(problem)
  })

/** Allotted minutes: null means no limit. */
export const allottedMinutes = z
  .int('must be a whole number of minutes')
  .min(1, 'must be more than zero, or null for no limit')
  .max(ALLOTTED_MINUTES_MAX, 'must be at most a year')
  .nullable()

/** A month, YYYY-MM. */
export const month = z
  .string()
  .max(7)
  .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-01')

/** HH:mm on a 24-hour clock, in the organisation's zone. */
export const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 09:30')

/** YYYY-MM-DD in the organisation's zone. */
export const day = z.iso.date('must be a date such as 2026-01-31')

/** Days of the week, Monday 1 to Sunday 7, each once. */
export const weekdays = z
  .array(z.int().min(1, 'must be 1 to 7').max(7, 'must be 1 to 7'))
  .min(1, 'must name at least one day of the week')
  .max(7)
  .refine((days) => new Set(days).size === days.length, 'must name each day once')

/** An instant, RFC 3339 in UTC. */
export const instant = z.iso.datetime()

export const message = z.object({ message: z.string() })

/** The training a call is about. `organization` is the superadmin's way to say whose. */
export const ofTraining = z.strictObject({ trainingName: name, organization: name.optional() })

/** Milliseconds within which half of the openings were usable, and 95 of 100. */
export const openingUsual = z.object({ median: z.number(), p95: z.number() })
