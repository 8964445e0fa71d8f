import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import styles from './ReadyMachines.module.css'

/** @param paisePerHour of all machines together */
export const WaitingCost = ({ paisePerHour }: { paisePerHour: number }) => (
  <div className={styles.cost}>
    <dl>
      <Fact term="While they wait, per hour">
        <Rupees paise={paisePerHour} />
      </Fact>
      <Fact term="Per day">
        <Rupees paise={paisePerHour * 24} />
      </Fact>
    </dl>
    <p className="dim">
      {paisePerHour === 0
        ? 'Stopped machines cost nothing while they wait. They start when they are ordered.'
        : 'You pay for it like for other running machines, as “ready machine” in the bill. Machines do not run while the training is closed.'}
    </p>
  </div>
)
