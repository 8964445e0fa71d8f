import { Screen } from '#src/ui/Screen.tsx'
import { Assigned } from './Assigned.tsx'
import { FactorResets } from './FactorResets.tsx'
import { Images } from './Images.tsx'
import { Organisations } from './Organisations.tsx'
import styles from './Overview.module.css'
import { Templates } from './Templates.tsx'
import { Users } from './Users.tsx'

export default function Overview() {
  return (
    <Screen>
      <div className={styles.lists}>
        <Organisations />
        <Users />
        <Templates />
        <Assigned />
        <Images />
        <FactorResets />
      </div>
    </Screen>
  )
}
