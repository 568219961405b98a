/** An ext4 in a file of its own, on a loop device, whose power can be cut. Needs root. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

export interface Ext4 {
  /** Where it is mounted. */
  folder: string
  /** What was not synced is gone, and from now on nothing can be written or synced. */
  shutDown(): Promise<void>
  /** What is left of it, as after a start of the machine. Nobody may have a file of it open. */
  mountAnew(): Promise<void>
}

/** Of which only what is written takes room. */
const BYTES = 1024 ** 3
/** Of a tenth of a second each. */
const TRIES = 100

/**
 * EXT4_IOC_SHUTDOWN without flushing the log. It would shut down the machine's own file system if ours
 * were not mounted.
 */
const SHUT_DOWN = `
  my ($folder) = @ARGV;
  (stat $folder)[0] != (stat "$folder/..")[0] or die "$folder is not mounted\\n";
  open my $root, '<', $folder or die "$folder: $!\\n";
  my $nologflush = pack 'L', 2;
  ioctl $root, 0x8004587d, $nologflush or die "EXT4_IOC_SHUTDOWN: $!\\n";`

/**
 * Makes and mounts one, which goes with this process.
 * @throws an Error with a sentence where that cannot be done
 */
export function makeExt4(): Ext4 {
  if (process.getuid?.() !== 0) throw new Error('To mount an ext4 one has to be root.')
  const home = mkdtempSync(join(tmpdir(), 'kettle-ext4-'))
  const image = join(home, 'image')
  const folder = join(home, 'disk')
  const mount = () => run('mount', '-t', 'ext4', '-o', 'loop', image, folder)
  let isMounted = false
  process.once('exit', () => {
    // Lazily: whoever has a file of it open keeps the loop device until then.
    if (isMounted) run('umount', '--lazy', folder)
    rmSync(home, { recursive: true })
  })
  // Who is told to end leaves nothing behind either.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
  try {
    writeFileSync(image, '')
    truncateSync(image, BYTES)
    mkdirSync(folder)
    run('mkfs.ext4', '-q', '-F', image)
    mount()
    isMounted = true
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    const [why] = (stderr || message).split('\n')
    throw new Error(`No ext4 can be mounted here: ${why}`)
  }
  return {
    folder,
    async shutDown() {
      await promisify(execFile)('perl', ['-e', SHUT_DOWN, folder])
    },
    async mountAnew() {
      run('umount', folder)
      isMounted = false
      // Whoever copied our mounts keeps it alive, and would have it mounted once more as it is, shut down.
      for (let tried = 0; run('losetup', '--associated', image); tried++) {
        if (tried === TRIES) throw new Error(`Somebody else keeps ${folder} mounted`)
        await pause(100)
      }
      mount()
      isMounted = true
    },
  }
}

function run(program: string, ...words: string[]) {
  // Not everybody who is root has these in the path.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` }
  return execFileSync(program, words, { env, stdio: 'pipe', encoding: 'utf8' })
}
