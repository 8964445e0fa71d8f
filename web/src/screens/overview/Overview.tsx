import { Screen } from '#src/ui/Screen.tsx'
import { Assigned } from './Assigned.tsx'
import { Fills } from '#src/shell/Fills.tsx'
import { Images } from './Images.tsx'
import { Organisations } from './Organisations.tsx'
import styles from './Overview.module.css'
import { overviewLists } from './slots.ts'
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
        <Fills of={overviewLists} props={{}} />
      </div>
    </Screen>
  )
}
