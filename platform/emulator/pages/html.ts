export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Html | readonly Html[]

/** Returns HTML in which every value that is not Html is escaped. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.map((part, index) => part + render(values[index] ?? '')).join(''))
}

function render(value: Value): string {
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(({ text }) => text).join('')
  return escape(String(value))
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

export const table = (headings: readonly string[], rows: readonly (readonly Value[])[]): Html =>
  html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`

export function linkAddresses(text: string): Html {
  const segments = text.split(/(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]])/)
  return html`${segments.map((segment, index) =>
    index % 2 === 1 ? html`<a href="${segment}" rel="noreferrer">${segment}</a>` : html`${segment}`,
  )}`
}

export function formatInstant(instant: string): string {
  return instant.replace('T', ' ').replace('.000Z', ' UTC')
}
