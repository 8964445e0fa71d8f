import library from 'virtual:api-reference'
import './developers.css'

interface Scalar {
  createApiReference(selector: string, options: object): void
}

const OPTIONS = {
  url: '/api/public/openapi.json',
  // Features that contact other hosts, or send requests to the portal without an API key.
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  hideTestRequestButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  // The page has a link to the description.
  documentDownloadType: 'none',
  hideDarkModeToggle: true,
  forceDarkModeState: document.documentElement.dataset['mantineColorScheme'] === 'dark' ? 'dark' : 'light',
}

const loading = document.querySelector('#loading')!
const script = document.createElement('script')
script.src = library
script.addEventListener('load', () => {
  const { Scalar: scalar } = globalThis as unknown as { Scalar: Scalar }
  loading.remove()
  scalar.createApiReference('#reference', OPTIONS)
})
script.addEventListener('error', () => {
  loading.textContent = 'The API reference could not be loaded. Reload the page, or open the OpenAPI description above.'
})
document.head.append(script)

/** Corrects accessibility faults of the library: each is a rule that axe reports. */
function repair(): void {
  // Rule aria-required-attr: the list of results is open as long as the search field exists.
  for (const field of document.querySelectorAll('[role=combobox]:not([aria-expanded])')) {
    field.setAttribute('aria-expanded', 'true')
  }
  // Rule landmark-unique: the examples of all operations have the same name.
  for (const card of document.querySelectorAll('.response-card[role=region]')) card.setAttribute('role', 'group')
}
new MutationObserver(repair).observe(document.body, { childList: true, subtree: true })
