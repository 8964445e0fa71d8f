import { readSignOut } from '@trainyard/platform/web/session/session.ts'

// Timeout of the logout call, in ms: an unreachable portal must not keep the user signed in here.
const TIMEOUT_MS = 2000

const uid = localStorage.getItem('uid')
const redirect = readSignOut() ?? '/login'
localStorage.clear()
const url = document.querySelector('main')!.dataset['logout']!
void fetch(url, {
  method: 'POST',
  headers: uid ? { authorization: `Bearer ${uid}` } : {},
  keepalive: true,
  signal: AbortSignal.timeout(TIMEOUT_MS),
})
  .catch(() => undefined)
  .then(() => location.replace(redirect))
