import { readSignOut } from '#src/session/session.ts'

// The server ends the session, but a portal that is silent must not keep anybody signed in here.
const PATIENCE_MS = 2000

const uid = localStorage.getItem('uid')
const onward = readSignOut() ?? '/login'
localStorage.clear()
const url = document.querySelector('main')!.dataset['logout']!
void fetch(url, {
  method: 'POST',
  headers: uid ? { authorization: `Bearer ${uid}` } : {},
  keepalive: true,
  signal: AbortSignal.timeout(PATIENCE_MS),
})
  .catch(() => undefined)
  .then(() => location.replace(onward))
