import { Screen } from '#src/ui/Screen.tsx'
import styles from './AccountSecurity.module.css'
import { Calendars } from './Calendars.tsx'
import { Name } from './Name.tsx'
import { Password } from './Password.tsx'
import { Passkeys } from './Passkeys.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { Sessions } from './Sessions.tsx'
import { YourData } from './YourData.tsx'

export default function AccountSecurity() {
  return (
    <Screen>
      <div className={styles.sections}>
        <Name />
        <Password />
        <SecondFactor />
        <Passkeys />
        <Sessions />
        <Calendars />
        <YourData />
      </div>
    </Screen>
  )
}
