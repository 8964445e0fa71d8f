import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { credit, PrepaidAccount } from '../contract/credit.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'

export type PrepaidState = ReplyOf<typeof credit.read>

/** Returns when the credit is used up: time of today, otherwise with the weekday or the date. */
export function forecastSentence(
  account: Pick<PrepaidAccount, 'isUsedUp' | 'isLow' | 'runsOutAt' | 'paisePerHour' | 'hardLimit'>,
  { now, timeZone }: Pick<PrepaidState, 'now' | 'timeZone'>,
): string {
  if (account.isUsedUp) {
    return account.hardLimit
      ? 'The credit is used up: machines stay off until more is bought.'
      : 'The credit is used up. Buy more, or usage is invoiced.'
  }
  const low = account.isLow ? 'The credit is low. ' : ''
  if (account.runsOutAt === null) return `${low}No machine runs now, so no credit is used.`
  const [at, today] = [dayjs(account.runsOutAt).tz(timeZone), dayjs(now).tz(timeZone)]
  const days = at.diff(today, 'day', true)
  const time = at.isSame(today, 'day')
    ? `at ${at.format('HH:mm')}`
    : `on ${at.format(days < 6 ? 'dddd [at] HH:mm' : 'D MMM YYYY [at] HH:mm')}`
  return `${low}Runs out ${time}, with the machines that run now (${formatRupees(account.paisePerHour / 100)} per hour).`
}
