import { type Template, TemplateCard } from './TemplateCard.tsx'

/** The card as Provision New Instance shows it. */
export default function TemplatePreview({ name, rate, display, creation }: Omit<Template, 'nextRate' | 'refusal'>) {
  return (
    <section className="stack" aria-labelledby="preview">
      <h3 id="preview">Preview</h3>
      <div className="cards">
        <TemplateCard template={{ name, rate, display, creation, refusal: null }} />
      </div>
    </section>
  )
}
