import { Screen } from '../../ui/screen.js';

export function Home() {
  return <Screen title="Home">…</Screen>;
}
