import type { Page } from '@playwright/test'

/** Values of the rules in platform/web/theme/README.md, in pixels. */
const RULES = {
  sizes: [12, 13, 14, 16, 20, 28],
  weights: [400, 500, 600],
  /** Of buttons and fields: in segmented controls, in toolbars, entries of the sidebar, in forms, for touch. */
  heights: [26, 28, 30, 36, 42, 44],
  target: 24,
}

/**
 * Returns what on the page breaks the rules: sizes, weights, heights, borders, colours, targets. The pictures of public
 * pages have their own.
 */
export const styleProblems = (page: Page): Promise<string[]> =>
  page.evaluate(({ sizes, weights, heights, target }) => {
    const found = new Map<string, string>()
    const nameOf = (element: Element) =>
      `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> ${(element.textContent ?? '').trim().slice(0, 30)}`
    const report = (what: string, element: Element) => {
      if (!found.has(what)) found.set(what, `${what}: ${nameOf(element)}`)
    }

    const probe = document.body.appendChild(document.createElement('i'))
    const colours = new Set(['rgba(0, 0, 0, 0)'])
    for (const sheet of document.styleSheets) {
      for (const rule of sheet.cssRules) {
        if (!(rule instanceof CSSStyleRule) || rule.selectorText !== ':root') continue
        for (const property of rule.style) {
          if (!property.startsWith('--') || !CSS.supports('color', rule.style.getPropertyValue(property))) continue
          probe.style.color = `var(${property})`
          colours.add(getComputedStyle(probe).color)
        }
      }
    }
    probe.remove()

    for (const element of document.body.querySelectorAll('*')) {
      const box = element.getBoundingClientRect()
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      if (box.width < 2 || box.height < 2 || element.closest('svg, canvas, .visually-hidden, .track-plan, .hero'))
        continue
      const style = getComputedStyle(element)
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
      )
      if (hasText) {
        const size = Number.parseFloat(style.fontSize)
        if (!sizes.some((each) => Math.abs(each - size) < 0.1)) report(`font size ${style.fontSize}`, element)
        if (!weights.includes(Number(style.fontWeight))) report(`font weight ${style.fontWeight}`, element)
        if (!colours.has(style.color)) report(`colour ${style.color}`, element)
      }
      if (!colours.has(style.backgroundColor)) report(`background ${style.backgroundColor}`, element)
      for (const side of ['Top', 'Right', 'Bottom', 'Left'] as const) {
        const width = Number.parseFloat(style[`border${side}Width`])
        const colour = style[`border${side}Color`]
        if (width === 0 || style[`border${side}Style`] === 'none' || colour === 'rgba(0, 0, 0, 0)') continue
        if (width > 1 && !element.matches('[aria-current]')) report(`border of ${width} px`, element)
        if (!colours.has(colour)) report(`border colour ${colour}`, element)
      }
      const isControl = element.matches('button, select, input:not([type="checkbox"], [type="radio"], [type="range"])')
      if (isControl && hasText && !element.closest('table, p, li, .text-button')) {
        if (!heights.some((each) => Math.abs(each - box.height) < 1))
          report(`height ${Math.round(box.height)} px`, element)
      }
      // Axe checks the distances of checkboxes. A card's button covers the card.
      const isTarget = element.matches(
        'button, select, input:not([type="checkbox"], [type="radio"]), [role="menuitem"]',
      )
      const isCard = getComputedStyle(element, '::after').position === 'absolute'
      if (isTarget && !isCard && Math.min(box.width, box.height) < target - 0.5)
        report(`target of ${Math.round(box.width)} x ${Math.round(box.height)} px`, element)
    }
    return [...found.values()]
  }, RULES)
