/** fast-check as the run's seed has it. Apart from seed.ts: to load it takes each file that does not need it a while. */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.TEST_SEED) })

export default fc
