import { Link } from '@tanstack/react-router'
import type { Choice } from '@trainyard/platform/web/navigation/selection.ts'
import { Bar } from '@trainyard/platform/web/ui/Bar.tsx'
import { hoursAllotted, hoursUsed } from '@trainyard/platform/web/ui/hours.ts'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import type { Board } from './Figures.tsx'
import homeStyles from './Home.module.css'
import styles from './Lines.module.css'
import { nextInWords } from './TrainingHeader.tsx'

interface TrainingLineProps {
  now: Board['trainings'][number]
  whose: Choice
  timeZone: string
}

export function TrainingLine({ now, whose, timeZone }: TrainingLineProps) {
  const { training, running, stopped, planned, failing, runningOut, consumed, total, amountPaise, next } = now
  const search = { ...whose, training }
  return (
    <li className={styles.training}>
      <span className={styles.what}>
        <Link to="/vm/vmdetails" search={search} className={homeStyles.name}>
          {training}
        </Link>
        <span className={styles.running} data-some={running > 0 || undefined}>
          {running + stopped === 0 ? 'No machines' : `${running} running`}
          {planned > 0 && `, ${planned} planned`}
          {stopped > planned || (planned === 0 && running > 0) ? `, ${stopped - planned} stopped` : ''}
          {failing > 0 && <strong className={styles.warning}>, {failing} of them failing</strong>}
        </span>
      </span>
      <span className={styles.what}>
        {total === null ? (
          <span>{hoursUsed(consumed)} h used, no limit</span>
        ) : (
          <Bar
            label={`Hours used in ${training}`}
            value={consumed}
            total={total}
            text={`${hoursUsed(consumed)} of ${hoursAllotted(total)} h, terminated VMs included`}
          />
        )}
        {runningOut > 0 && (
          <ScreenLink to="/vm/quota" search={search} className={styles.warning}>
            {runningOut === 1 ? '1 machine is' : `${runningOut} machines are`} running out of hours
          </ScreenLink>
        )}
      </span>
      <Link to="/vm/billing" search={search} className={styles.cost}>
        <Rupees paise={amountPaise} />
        <span className="visually-hidden"> so far: Usage and Billing Summary of {training}</span>
      </Link>
      <ScreenLink to="/vm/scheduler" search={search} className={styles.next}>
        {next === null ? 'Nothing scheduled' : <time title={timeZone}>{nextInWords(next)}</time>}
      </ScreenLink>
    </li>
  )
}
