/** Prefetches the application's files at the first input, so that they are cached after the sign-in. */
export function prefetchOnFirstInput(form: HTMLFormElement): void {
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

/**
 * Posts JSON and returns the reply's fields and whether the call succeeded. A network failure is returned as a failed
 * reply.
 * @param uid session token, for calls that need a signed-in user
 */
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

/** Shows a message in the red banner of the page or of a part of it; an empty text hides it. */
export function showBanner(text: string, part: ParentNode = document): void {
  const banner = part.querySelector<HTMLElement>('.banner')!
  banner.hidden = text === ''
  banner.textContent = text
}

/** Runs `work` with the form's button disabled and showing its busy label. */
export async function whileBusy(form: HTMLFormElement, work: () => Promise<void>): Promise<void> {
  const button = form.querySelector('button')!
  const label = button.textContent
  button.disabled = true
  button.textContent = button.dataset['busy']!
  try {
    await work()
  } finally {
    button.disabled = false
    button.textContent = label
  }
}

/** Returns a function that finds a form's field by name. */
export const fieldOf = (form: HTMLFormElement) => (name: string) => form.elements.namedItem(name) as HTMLInputElement

export function showPasswordOnTick(form: HTMLFormElement): void {
  const field = fieldOf(form)
  field('show').addEventListener('change', () => {
    field('password').type = field('show').checked ? 'text' : 'password'
  })
}
