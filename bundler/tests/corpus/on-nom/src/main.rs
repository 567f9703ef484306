use nom::bytes::complete::tag;
use nom::character::complete::{digit1, space1};
use nom::combinator::map_res;
use nom::multi::separated_list1;
use nom::{IResult, Parser};

fn number(input: &str) -> IResult<&str, u32> {
    map_res(digit1, str::parse).parse(input)
}

fn main() {
    let mut line = (tag("MOVE "), separated_list1(space1, number));
    println!("{:?} {:?}", line.parse("MOVE 3 14 15!"), line.parse("WAIT").is_err());
}
