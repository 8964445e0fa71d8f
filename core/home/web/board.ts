import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'
import { formatDay } from '@trainyard/platform/web/ui/time.ts'
import type { home } from '../contract/home.ts'

/** A training of an organisation with its machines, hours, cost and next event. */
export type Training = ReplyOf<typeof home.trainings>['trainings'][number]

/** Names the next event of a training and its time. */
export const nextInWords = ({ action, date, time }: NonNullable<Training['next']>): string =>
  action === 'Ready'
    ? `Ready ${dayjs.utc(date).format('ddd D MMM')} at ${time}`
    : `${action === 'Start' ? 'Power On' : 'Shut Down'} ${formatDay(date)}, ${time}`
