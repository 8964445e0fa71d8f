import { isSiteDataBlocked, storeSession } from '@trainyard/platform/web/session/session.ts'

const BLOCKED =
  'Your browser blocks cookies and site data of this portal, which a login needs. Allow them, then load this page again.'

/**
 * Prepares a form that opens a session. Says so if the browser blocks what a session needs. Prefetches the application's
 * files at the first input, so that they are cached after the sign-in.
 */
export function prepareSignIn(form: HTMLFormElement): void {
  if (isSiteDataBlocked()) showBanner(BLOCKED)
  form.addEventListener(
    'input',
    () => {
      const add = (rel: string, href: string) =>
        document.head.append(Object.assign(document.createElement('link'), { rel, href }))
      for (const file of (document.body.dataset['app'] ?? '').split(' ').filter(Boolean)) {
        add(file.endsWith('.js') ? 'modulepreload' : 'prefetch', file)
      }
    },
    { once: true },
  )
}

/** Posts JSON. A network failure is returned as a failed reply. */
export async function post(
  url: string,
  body?: object,
  uid?: string,
): Promise<{ ok: boolean; reply: Record<string, string> }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(uid && { authorization: `Bearer ${uid}` }) },
      body: JSON.stringify(body),
    })
    return { ok: response.ok, reply: ((await response.json()) ?? {}) as Record<string, string> }
  } catch {
    return { ok: false, reply: { message: 'The portal did not answer. Please try again.' } }
  }
}

export function showBanner(text: string, part: ParentNode = document): void {
  const banner = part.querySelector<HTMLElement>('.banner')!
  banner.hidden = text === ''
  banner.textContent = text
}

/** Shows the links below the content. They would move if the page showed them before its content. */
export function showLinks(): void {
  document.querySelector('footer')!.hidden = false
}

/** Runs `work` on each submission, with the button disabled and showing its busy label. */
export function onSubmit(form: HTMLFormElement, work: () => Promise<void>, part: ParentNode = document): void {
  const button = form.querySelector('button')!
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    showBanner('', part)
    const label = button.textContent
    button.disabled = true
    button.textContent = button.dataset['busy']!
    void work()
      .catch((error: unknown) => {
        showBanner(isSiteDataBlocked() ? BLOCKED : 'Something went wrong on this page. Load it again.', part)
        throw error
      })
      .finally(() => {
        button.disabled = false
        // The work may have changed the label.
        if (button.textContent === button.dataset['busy']) button.textContent = label
      })
  })
}

export const storeReply = (reply: Record<string, string>): void =>
  storeSession({
    uid: reply['uid']!,
    email: reply['email'],
    organization: reply['organization'],
    session: reply['session']!,
  })

export const fieldOf = (form: HTMLFormElement) => (name: string) => form.elements.namedItem(name) as HTMLInputElement

export function showPasswordOnTick(form: HTMLFormElement): void {
  const field = fieldOf(form)
  field('show').addEventListener('change', () => {
    field('password').type = field('show').checked ? 'text' : 'password'
  })
}
