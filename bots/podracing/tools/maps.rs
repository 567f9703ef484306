//! The platform's maps: one of thirteen, its checkpoints rotated and each moved a little.

use coppice::rng::split_mix;
use coppice::Rng;

use crate::podracing::track::Track;

/// The laps of the platform's races.
pub const LAPS: u8 = 3;

/// How far a coordinate is moved at most, either way: live maps were off the published ones by -30 to 29.
const SHIFT: i16 = 30;

/// The published maps, each checkpoint as x and y.
const MAPS: [&[[i16; 2]]; 13] = [
    &[[12460, 1350], [10540, 5980], [3580, 5180], [13580, 7600]],
    &[[3600, 5280], [13840, 5080], [10680, 2280], [8700, 7460], [7200, 2160]],
    &[[4560, 2180], [7350, 4940], [3320, 7230], [14580, 7700], [10560, 5060], [13100, 2320]],
    &[[5010, 5260], [11480, 6080], [9100, 1840]],
    &[[14660, 1410], [3450, 7220], [9420, 7240], [5970, 4240]],
    &[[3640, 4420], [8000, 7900], [13300, 5540], [9560, 1400]],
    &[[4100, 7420], [13500, 2340], [12940, 7220], [5640, 2580]],
    &[[14520, 7780], [6320, 4290], [7800, 860], [7660, 5970], [3140, 7540], [9520, 4380]],
    &[[10040, 5970], [13920, 1940], [8020, 3260], [2670, 7020]],
    &[[7500, 6940], [6000, 5360], [11300, 2820]],
    &[[4060, 4660], [13040, 1900], [6560, 7840], [7480, 1360], [12700, 7100]],
    &[[3020, 5190], [6280, 7760], [14100, 7760], [13880, 1220], [10240, 4920], [6100, 2200]],
    &[[10323, 3366], [11203, 5425], [7259, 6656], [5425, 2838]],
];

/// The track of a seed.
///
/// # Panics
/// Never: the published maps are tracks.
pub fn track(seed: u64) -> Track {
    let mut seed = seed;
    let mut rng = Rng::new(split_mix(&mut seed));
    let map = MAPS[rng.below(MAPS.len() as u32) as usize];
    let first = rng.below(map.len() as u32) as usize;
    let mut shifted = |coordinate: i16| coordinate - SHIFT + rng.below(2 * SHIFT as u32 + 1) as i16;
    let points: Vec<[i16; 2]> =
        (0..map.len()).map(|i| map[(first + i) % map.len()].map(&mut shifted)).collect();
    Track::new(&points, LAPS).expect("a published map is a track")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_the_published_ones_moved_a_little() {
        let mut seen = [0; MAPS.len()];
        for seed in 0..400 {
            let track = track(seed);
            let near = |map: &[[i16; 2]], first: usize| {
                map.len() == track.count()
                    && track.points().iter().enumerate().all(|(i, point)| {
                        let published = map[(first + i) % map.len()];
                        (0..2).all(|axis| point[axis].abs_diff(published[axis]) <= SHIFT as u16)
                    })
            };
            let map = MAPS.iter().position(|map| (0..map.len()).any(|first| near(map, first)));
            seen[map.expect("a published map")] += 1;
        }
        assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
    }
}
