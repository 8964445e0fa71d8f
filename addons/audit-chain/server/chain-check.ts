import { type AuditRow, GENESIS, chainOf, rowHashOf, type Seal } from './chain.ts'
import { isErasedRow } from './erasure.ts'
import * as found from './findings.ts'
import type { Finding } from './findings.ts'
import { type Head, isSigned, isTrusted, type TrustedKeys } from './head.ts'
import type { Erasure } from './queries.ts'

export interface Link {
  readonly seal: Seal
  readonly row: AuditRow | null
  /** Present only if the personal data of the row was erased. */
  readonly erasure?: Erasure
}

/** Skipped positions, the link before the gap, and the link to which the row after the gap refers. */
interface Gap {
  readonly from: number
  readonly to: number
  readonly before: string
  readonly next: string
}

export interface Anchor {
  readonly position: number
  readonly chain: string
}

/** Maximum number of changed rows that are compared with each other to detect swaps. */
const COMPARED_MAX = 200

export class ChainCheck {
  readonly #heads: Map<number, Head>
  readonly #findings: Finding[] = []
  readonly #keys: TrustedKeys | null
  #last: Anchor & { readonly id: number | null }
  #gaps: Gap[] = []
  readonly #changed: { readonly seal: Seal; readonly row: AuditRow }[] = []
  #links = 0
  #erased = 0

  /**
   * @param keys trusted keys; null: accepts every signature of an erasure, for a first check without keys
   * @param after link after which the chain continues
   */
  constructor(heads: readonly Head[], keys: TrustedKeys | null, after: Anchor = { position: 0, chain: GENESIS }) {
    this.#last = { ...after, id: null }
    this.#heads = new Map()
    this.#keys = keys
    for (const head of heads) {
      if (!isSigned(head)) this.#findings.push(found.forgedHead(head.position, head.signedAt))
      else if (keys !== null && !isTrusted(keys, head))
        this.#findings.push(found.foreignHead(head.position, head.publicKey))
      else this.#heads.set(head.position, head)
    }
  }

  add({ seal, row, erasure }: Link): void {
    this.#links += 1
    const { position, auditId: id } = seal
    if (chainOf(seal.previous, seal.rowHash) !== seal.chain) this.#findings.push(found.brokenSeal(id, position))
    const inPlace = this.#place(seal)
    if (!inPlace) return
    if (row === null) this.#findings.push(found.rowGone(id, position))
    else if (row.id === id && erasure !== undefined && isErasedRow(row, seal, erasure, this.#keys)) this.#erased += 1
    else if (row.id !== id || rowHashOf(row) !== seal.rowHash) this.#changed.push({ seal, row })
    const head = this.#heads.get(position)
    if (head !== undefined && head.chain !== seal.chain) {
      this.#findings.push(found.otherPast(position, head.signedAt))
    }
  }

  continueFrom(anchor: Anchor): void {
    this.#last = { ...anchor, id: null }
  }

  /** Returns false if another row already has the position. */
  #place(seal: Seal): boolean {
    const { position, auditId: id, previous, chain } = seal
    const last = this.#last
    if (position > last.position) {
      if (position > last.position + 1) {
        this.#gaps.push({ from: last.position + 1, to: position - 1, before: last.chain, next: previous })
      } else if (previous !== last.chain) {
        this.#findings.push(found.brokenLink(position, last.id, id))
      }
      this.#last = { position, chain, id }
      return true
    }
    const gap = this.#gaps.find(({ from, to }) => from <= position && position <= to)
    if (gap === undefined || (position === gap.from && previous !== gap.before)) {
      this.#findings.push(found.insertedLink(id, position))
      return false
    }
    this.#findings.push(found.misplaced(id, position))
    this.#gaps = this.#gaps.filter((candidate) => candidate !== gap)
    if (gap.from < position) this.#gaps.push({ ...gap, to: position - 1, next: previous })
    if (position < gap.to) this.#gaps.push({ ...gap, from: position + 1, before: chain })
    return true
  }

  end(): {
    readonly findings: readonly Finding[]
    readonly links: number
    readonly heads: number
    /** Number of rows whose personal data was erased. */
    readonly erased: number
    readonly last: Anchor
  } {
    for (const { from, to } of this.#gaps) this.#findings.push(found.linksGone(from, to))
    this.#findings.push(...this.#changedOrSwapped())
    const lastHead = [...this.#heads.values()].toSorted((a, b) => b.position - a.position)[0]
    if (lastHead !== undefined && lastHead.position > this.#last.position) {
      this.#findings.push(found.cutOff(this.#last.position + 1, lastHead.position, lastHead.signedAt))
    }
    const { position, chain } = this.#last
    return {
      findings: this.#findings,
      links: this.#links,
      heads: this.#heads.size,
      erased: this.#erased,
      last: { position, chain },
    }
  }

  /**
   * Returns changed and swapped rows. In a swap, each of two rows has the content of the other row, with or without its
   * ID.
   */
  #changedOrSwapped(): Finding[] {
    const findings: Finding[] = []
    const explained = new Set<number>()
    const compared = this.#changed.slice(0, COMPARED_MAX)
    const saysOf = (row: AuditRow, { auditId, rowHash }: Seal) => rowHashOf({ ...row, id: auditId }) === rowHash
    for (const comparedHead of compared) {
      if (explained.has(comparedHead.seal.auditId)) continue
      const other = compared.find(
        (each) => each !== comparedHead && saysOf(comparedHead.row, each.seal) && saysOf(each.row, comparedHead.seal),
      )
      if (other === undefined) continue
      findings.push(found.swapped(comparedHead.seal.auditId, other.seal.auditId))
      explained.add(comparedHead.seal.auditId).add(other.seal.auditId)
    }
    const rest = this.#changed.filter(({ seal }) => !explained.has(seal.auditId))
    return [...findings, ...rest.map(({ seal, row }) => found.changed(seal.auditId, seal.position, row))]
  }
}
