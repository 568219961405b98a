/** A diff by word. No I/O here. */

export interface Piece {
  text: string
  kind: 'same' | 'gone' | 'new'
}

/** Longest common subsequence; the plain table will do, as texts are short. */
export function wordDiff(from: string, to: string): Piece[] {
  const a = from.split(/(\s+)/).filter(Boolean)
  const b = to.split(/(\s+)/).filter(Boolean)
  // common[i][j]: length of the longest common subsequence of a[i…] and b[j…].
  const common = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  const at = (i: number, j: number) => common[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      (common[i] as number[])[j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const pieces: Piece[] = []
  const add = (text = '', kind: Piece['kind']) => {
    const last = pieces.at(-1)
    if (last?.kind === kind) last.text += text
    else pieces.push({ text, kind })
  }
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && a[i] === b[j]) {
      add(a[i++], 'same')
      j++
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) add(a[i++], 'gone')
    else add(b[j++], 'new')
  }
  return pieces
}
