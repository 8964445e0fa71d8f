import { useMe } from '#src/session/me.ts'
import { Screen } from '#src/ui/Screen.tsx'
import { AwsHome } from './AwsHome.tsx'
import { AzureHome } from './AzureHome.tsx'
import { LearnerHome } from './LearnerHome.tsx'
import { SuperadminHome } from './SuperadminHome.tsx'
import { Trainings } from './Trainings.tsx'

/** What each role most likely came for. */
export default function Home() {
  const { role, organization } = useMe()
  return (
    <Screen>
      {role === 'user' && <LearnerHome />}
      {role === 'admin' && <Trainings organization={organization} />}
      {role === 'superadmin' && <SuperadminHome />}
      {role === 'sandboxuser' && <AzureHome />}
      {role === 'awssandboxuser' && <AwsHome />}
    </Screen>
  )
}
