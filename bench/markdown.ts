/** What it costs the processor to turn what people write into HTML, on the server and in a preview. */
import { markdownHtml } from '../app/kit/writing/markdown.ts'
import { HOSTILE_MARKDOWN } from '../tests/support/hostile-markdown.ts'
import { createRandom } from './data/random.ts'
import { talk } from './data/thread-words.ts'
import { type Bench, median } from './measure.ts'

const COMMENTS = 1_000
const ROUNDS = 9
const HOSTILE_ROUNDS = 3
const HOSTILE_MS = 300

export const markdown: Bench = {
  name: 'markdown',
  async run({ seed }) {
    const comments = someComments(seed)
    const rounds = Array.from({ length: ROUNDS }, () =>
      cpuMsOf(() => {
        for (const comment of comments) markdownHtml(comment)
      }),
    )
    const hostile = HOSTILE_MARKDOWN.map(([, text]) =>
      median(Array.from({ length: HOSTILE_ROUNDS }, () => cpuMsOf(() => markdownHtml(text)))),
    )
    return [
      { name: `${COMMENTS} comments as HTML`, measured: median(rounds), unit: 'CPU-ms' },
      {
        name: `the dearest of ${hostile.length} hostile texts as HTML`,
        measured: Math.max(...hostile),
        unit: 'CPU-ms',
        budget: { most: HOSTILE_MS },
      },
    ]
  },
}

function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Of some 40 to 130 words; most are plain, each fifth has marks, a quote, a list or an address. */
function someComments(seed: number): string[] {
  const random = createRandom(seed, 'markdown')
  const words = () => talk(random, 10 + random.below(30))
  return Array.from({ length: COMMENTS }, (_, n) => {
    const plain = `${words()}\n\n${words()}`
    if (n % 5 > 0) return plain
    return random.pick([
      `**${words()}** ${words()} *So it is.*\n\n${plain}`,
      `> ${words()}\n\n${plain}`,
      `${words()}\n\n- ${words()}\n- ${words()}\n- \`pay\`\n\n${words()}`,
      `${words()} https://news.example/a/${n}?b=c\n\n[Here](https://other.example/d) ${words()}`,
      `|Year|Pay|\n|-|-:|\n|2025|~~100~~|\n|2026|90|\n\n${plain}`,
    ])
  })
}
