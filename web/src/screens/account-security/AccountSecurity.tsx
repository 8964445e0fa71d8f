import { Screen } from '#src/ui/Screen.tsx'
import styles from './AccountSecurity.module.css'
import { Password } from './Password.tsx'
import { Sessions } from './Sessions.tsx'

/** Account Security: how one signs in, and where one is signed in. A section is a file of its own. */
export default function AccountSecurity() {
  return (
    <Screen>
      <div className={styles.sections}>
        <Password />
        <Sessions />
      </div>
    </Screen>
  )
}
