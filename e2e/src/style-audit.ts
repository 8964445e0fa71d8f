import type { Page } from '@playwright/test'

/** Values of the rules in platform/web/theme/README.md, in pixels. */
const RULES = {
  sizes: [12, 13, 14, 16, 20, 28],
  weights: [400, 500, 600],
  /** Of buttons and fields: in segmented controls, in toolbars, entries of the sidebar, in forms, for touch. */
  heights: [26, 28, 30, 36, 42, 44],
  target: 24,
  /** Contrast of the edge of a field with the background around it (WCAG 1.4.11). */
  contrast: 3,
  grounds: ['paper', 'surface', 'raised', 'sunken', 'accent-wash', 'clear-wash', 'caution-wash', 'danger-wash'],
}

/**
 * Returns what on the page breaks the rules: sizes, weights, heights, borders, colours, targets. The pictures of public
 * pages have their own.
 */
export const styleProblems = (page: Page): Promise<string[]> =>
  page.evaluate(({ sizes, weights, heights, target, contrast, grounds }) => {
    const found = new Map<string, string>()
    const nameOf = (element: Element) =>
      `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> ${(element.textContent ?? '').trim().slice(0, 30)}`
    const report = (what: string, element: Element) => {
      if (!found.has(what)) found.set(what, `${what}: ${nameOf(element)}`)
    }

    const luminanceOf = (colour: string) => {
      const [red = 0, green = 0, blue = 0] = colour.match(/[\d.]+/g)!.map((part) => {
        const share = Number(part) / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const contrastOf = (one: string, other: string) => {
      const [dark, light] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
      return (light! + 0.05) / (dark! + 0.05)
    }
    const groundOf = (element: Element | null): string => {
      const ground = element === null ? 'rgb(255, 255, 255)' : getComputedStyle(element).backgroundColor
      return /^rgba\(.*, 0\)$/.test(ground) ? groundOf(element!.parentElement) : ground
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
    const valueOf = (token: string) => {
      probe.style.color = `var(--${token})`
      return getComputedStyle(probe).color
    }
    for (const ground of grounds) {
      const reached = contrastOf(valueOf('field-edge'), valueOf(ground))
      if (reached < contrast) report(`edge of a field on ${ground}, ${reached.toFixed(2)}:1`, probe)
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
      const isField = element.matches('select, textarea, input:not([type="checkbox"], [type="radio"], [type="range"])')
      if (isField && !element.matches(':disabled') && Number.parseFloat(style.borderTopWidth) > 0) {
        const reached = contrastOf(style.borderTopColor, groundOf(element.parentElement))
        if (reached < contrast) report(`edge of a field, ${reached.toFixed(2)}:1`, element)
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
