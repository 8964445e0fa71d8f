import type { Db } from '../db/schema.ts'
import { placesToSurvey, plansToSurvey, recordOffers, recordTerms } from '../domain/template/offers.ts'
import { type Cloud, CloudError } from '../providers/cloud.ts'
import type { Running } from './leased-loop.ts'
import { startTurns } from './turn.ts'

export interface SurveyorOptions {
  readonly db: Db
  readonly cloud: Cloud
  readonly onFault: (fault: unknown) => void
  readonly tickMs: number
}

/** A new template's place is surveyed this soon after it was made. */
const LOOK_SECONDS = 15

/** Reads now and then what the cloud offers where templates are, so that orders are told before they are made. */
export function startSurveyor({ db, cloud, onFault, tickMs }: SurveyorOptions): Running {
  return startTurns({
    db,
    name: 'offers',
    // The cloud's own error is shown where it stands in somebody's way; a survey has time.
    onFault: (fault) => {
      if (!(fault instanceof CloudError)) onFault(fault)
    },
    tickMs,
    leaseSeconds: 60,
    afterFailureSeconds: 60,
    async work(signal) {
      for (const location of await placesToSurvey(db))
        await recordOffers(db, location, await cloud.offersAt(location, signal))
      for (const plan of await plansToSurvey(db)) await recordTerms(db, plan, await cloud.termsAccepted(plan, signal))
      return LOOK_SECONDS
    },
  })
}
