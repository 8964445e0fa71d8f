import { useMe } from '#src/me.ts'
import { Screen } from '#src/ui/Screen.tsx'

export default function Home() {
  const me = useMe()
  return (
    <Screen>
      <p>{me.email}</p>
    </Screen>
  )
}
