/** Fetches the application while a person types, so that it is there once they are signed in. */
export function prefetchOnFirstKey(form: HTMLFormElement): void {
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
 * Posts JSON; resolves with the reply's fields and whether it went well, also when no answer came.
 * @param uid of who is signed in, for calls that want to know
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

/** Shows a sentence in the red banner of the page, or of a part of it; an empty one hides it. */
export function showBanner(text: string, part: ParentNode = document): void {
  const banner = part.querySelector<HTMLElement>('.banner')!
  banner.hidden = text === ''
  banner.textContent = text
}

/** Runs `work` with the form's button disabled and saying what it does. */
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

/** Returns the way to a form's fields by name. */
export const fieldOf = (form: HTMLFormElement) => (name: string) => form.elements.namedItem(name) as HTMLInputElement

/** Shows the new password while the box beside it is ticked. */
export function showOnTick(form: HTMLFormElement): void {
  const field = fieldOf(form)
  field('show').addEventListener('change', () => {
    field('password').type = field('show').checked ? 'text' : 'password'
  })
}
