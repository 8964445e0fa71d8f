import { beginFirstCalls } from './first-calls.ts'
import { screens } from './screens.tsx'
import { readSession } from './session.ts'

const session = readSession()
if (session) {
  // What the screen here is made of, and what it shows, comes beside the application and not after it.
  const here = screens.find(({ path, roles }) => path === location.pathname && roles.includes(session.role))
  // What fails is asked for again by the router, which also says so.
  here?.load().catch(() => undefined)
  beginFirstCalls(session, here)
  void import('./app.tsx')
} else {
  location.replace(`/login?next=${encodeURIComponent(location.pathname + location.search)}`)
}
